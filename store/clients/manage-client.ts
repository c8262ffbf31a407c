import type { EntityManager } from '@mikro-orm/postgresql';
import type { Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { OAuthClient, OAuthToken } from '../tables/clients.ts';

export interface ClientEntry {
  clientId: string;
  name: string;
  scope: string;
  dailyQuota: number | null;
  active: boolean;
  createdAt: Date;
  rotatedAt: Date | null;
  usedToday: number;
  liveTokens: number;
}

export function readClients(sql: Sql, now: Date): Promise<ClientEntry[]> {
  return sql.all(READ_CLIENTS, { clientId: null, now, today: utcDay(now) });
}

export function readClient(sql: Sql, clientId: string, now: Date): Promise<ClientEntry | null> {
  return sql.first(READ_CLIENTS, { clientId, now, today: utcDay(now) });
}

const utcDay = (time: Date) => time.toISOString().slice(0, 10);

const READ_CLIENTS = statement<{ clientId: string | null; now: Date; today: string }, ClientEntry>(
  'read_clients',
)`
select c.client_id as "clientId", c.name, c.scope, c.daily_quota as "dailyQuota", c.active,
  c.created_at as "createdAt", c.rotated_at as "rotatedAt",
  coalesce((select used from quota_usage where client_id = c.id and day = :today), 0) as "usedToday",
  (select count(*) from oauth_tokens
   where client_id = c.id and revoked_at is null and expires_at > :now) as "liveTokens"
from oauth_clients c where :clientId::text is null or c.client_id = :clientId order by c.created_at`;

export function revokeTokens(em: EntityManager, clientId: string, now: Date): Promise<number> {
  const valid = { client: { clientId }, revokedAt: null, expiresAt: { $gt: now } };
  return em.nativeUpdate(OAuthToken, valid, { revokedAt: now });
}

export async function setActive(em: EntityManager, clientId: string, active: boolean) {
  return (await em.nativeUpdate(OAuthClient, { clientId, active: !active }, { active })) > 0;
}
