import type { EntityManager } from '@mikro-orm/postgresql';
import type { InferResult } from 'kysely';
import type { Sql } from '../db/database.ts';
import { OAuthClient, OAuthToken } from '../tables/clients.ts';

/** Clients without their secrets; `dailyQuota` null: as configured. */
function selectClients({ tables }: Sql, now: Date) {
  return tables
    .selectFrom('oauth_clients as c')
    .select(({ selectFrom, fn, lit }) => [
      'c.client_id as clientId',
      'c.name',
      'c.scope',
      'c.daily_quota as dailyQuota',
      'c.active',
      'c.created_at as createdAt',
      'c.rotated_at as rotatedAt',
      fn
        .coalesce(
          selectFrom('quota_usage as q')
            .whereRef('q.client_id', '=', 'c.id')
            .where('q.day', '=', now.toISOString().slice(0, 10))
            .select('q.used'),
          lit(0),
        )
        .as('usedToday'),
      fn
        .coalesce(
          selectFrom('oauth_tokens as t')
            .whereRef('t.client_id', '=', 'c.id')
            .where('t.revoked_at', 'is', null)
            .where('t.expires_at', '>', now)
            .select(fn.countAll<number>().as('count')),
          lit(0),
        )
        .as('liveTokens'),
    ]);
}

export type ClientEntry = InferResult<ReturnType<typeof selectClients>>[number];

export async function readClients(sql: Sql, now: Date): Promise<ClientEntry[]> {
  return sql.run(selectClients(sql, now).orderBy('c.created_at'));
}

export async function readClient(sql: Sql, clientId: string, now: Date) {
  const [client] = await sql.run(selectClients(sql, now).where('c.client_id', '=', clientId));
  return client ?? null;
}

export function revokeTokens(em: EntityManager, clientId: string, now: Date): Promise<number> {
  const valid = { client: { clientId }, revokedAt: null, expiresAt: { $gt: now } };
  return em.nativeUpdate(OAuthToken, valid, { revokedAt: now });
}

/** False when the client was so already. */
export async function setActive(em: EntityManager, clientId: string, active: boolean) {
  return (await em.nativeUpdate(OAuthClient, { clientId, active: !active }, { active })) > 0;
}
