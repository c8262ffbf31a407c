import type { Sql } from '../db/database.ts';

export interface FailureKeys {
  address: string;
  /** Null: the call named no client. */
  clientId: string | null;
}

export interface FailureCounts {
  address: number;
  clientId: number;
}

/**
 * Counts one failed token call by address and by client id, in the window that began at `windowStart`.
 * From an address that has failed more than `maxPerAddress` times client ids are not counted any more, so
 * that one that makes them up leaves no row for each.
 */
export async function recordTokenFailure(
  sql: Sql,
  keys: FailureKeys,
  { windowStart, maxPerAddress }: { windowStart: Date; maxPerAddress: number },
): Promise<FailureCounts> {
  const [counts] = await sql.query<FailureCounts & Record<string, unknown>>(STATEMENT, [
    keys.address,
    keys.clientId,
    windowStart,
    maxPerAddress,
  ]);
  return counts ?? { address: 0, clientId: 0 };
}

/** The address always comes before the client id, so that two calls at once cannot wait for each other. */
const STATEMENT = `
with address as (
  insert into token_failures as f (key, window_start, failures) values ($1, $3, 1)
  on conflict (key, window_start) do update set failures = f.failures + 1
  returning failures),
client as (
  insert into token_failures as f (key, window_start, failures)
  select $2, $3::timestamptz, 1 from address where $2::text is not null and failures <= $4::int
  on conflict (key, window_start) do update set failures = f.failures + 1
  returning failures)
select (select failures from address) as address,
  coalesce((select failures from client), 0) as "clientId"`;
