import type { Sql } from '../db/database.ts';

export interface ClientEntry {
  clientId: string;
  name: string;
  scope: string;
  /** Null: as configured. */
  dailyQuota: number | null;
  active: boolean;
  createdAt: Date;
  rotatedAt: Date | null;
  /** Requests of this UTC day. */
  usedToday: number;
  liveTokens: number;
}

export async function readClients(sql: Sql, now: Date): Promise<ClientEntry[]> {
  return sql.query<ClientEntry & Record<string, unknown>>(`${CLIENTS} order by c.created_at`, [
    now,
  ]);
}

export async function readClient(
  sql: Sql,
  clientId: string,
  now: Date,
): Promise<ClientEntry | null> {
  const [client] = await sql.query<ClientEntry & Record<string, unknown>>(
    `${CLIENTS} where c.client_id = $2`,
    [now, clientId],
  );
  return client ?? null;
}

const CLIENTS = `
select c.client_id as "clientId", c.name, c.scope, c.daily_quota as "dailyQuota", c.active,
  c.created_at as "createdAt", c.rotated_at as "rotatedAt",
  coalesce((select used from quota_usage q
            where q.client_id = c.id and q.day = ($1::timestamptz at time zone 'UTC')::date), 0) as "usedToday",
  (select count(*) from oauth_tokens t
   where t.client_id = c.id and t.revoked_at is null and t.expires_at > $1) as "liveTokens"
from oauth_clients c`;

/** False for a client that is not there; the old secret fails from the commit on. */
export async function replaceSecret(
  sql: Sql,
  { clientId, secretHash, now }: { clientId: string; secretHash: Buffer; now: Date },
): Promise<boolean> {
  const rows = await sql.query(
    `update oauth_clients set secret_hash = $2, rotated_at = $3 where client_id = $1 returning id`,
    [clientId, secretHash, now],
  );
  return rows.length > 0;
}

/** How many tokens that were still good are good no more. */
export async function revokeTokens(sql: Sql, clientId: string, now: Date): Promise<number> {
  const rows = await sql.query(
    `update oauth_tokens t set revoked_at = $2 from oauth_clients c
     where c.id = t.client_id and c.client_id = $1 and t.revoked_at is null and t.expires_at > $2
     returning t.client_id`,
    [clientId, now],
  );
  return rows.length;
}

/** False when the client was so already. */
export async function setActive(sql: Sql, clientId: string, active: boolean): Promise<boolean> {
  const rows = await sql.query(
    `update oauth_clients set active = $2 where client_id = $1 and active <> $2 returning id`,
    [clientId, active],
  );
  return rows.length > 0;
}

export async function setQuota(
  sql: Sql,
  clientId: string,
  dailyQuota: number | null,
): Promise<void> {
  await sql.query(`update oauth_clients set daily_quota = $2 where client_id = $1`, [
    clientId,
    dailyQuota,
  ]);
}
