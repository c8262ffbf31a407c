import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { contactPointKey } from '../../domain/leads/contact-points.ts';
import type { Enquiry } from '../../domain/leads/enquiry.ts';
import { isConnectionError } from '../../platform/errors.ts';
import { type Database, type Sql, UnknownCommitError } from '../db/database.ts';
import { statement } from '../db/statement.ts';

/** Retries of a transaction after a deadlock, or a unique key that appeared because a lock was missed. */
export const INTAKE_RETRIES = 4;

/** One key per phone and e-mail, and one for the ad platform's lead. None where the enquiry names nobody. */
export function lockKeys({ adPlatform, contactPoints }: Enquiry): string[] {
  const block = adPlatform ? [`adPlatform:${adPlatform.identity}`] : [];
  return [...contactPoints.map(contactPointKey), ...block];
}

/** What was committed meanwhile is seen only by the next statement, so nothing is read here. */
export async function lockPeople(sql: Sql, keys: readonly string[]): Promise<void> {
  await sql.all(LOCK_PEOPLE, { keys: lockNumbers(keys) });
}

const LOCK_PEOPLE = statement<{ keys: readonly string[] }, { locked: number }>(
  'lock_people',
  `select count(pg_advisory_xact_lock(key)) as locked from unnest(:keys::bigint[]) as key`,
);

/** Takes the locks that are free now and waits for none. Returns for each enquiry whether all of its locks were. */
export async function tryLockPeople(
  sql: Sql,
  enquiries: readonly (readonly string[])[],
): Promise<boolean[]> {
  const locks = enquiries.flatMap((keys, n) => lockNumbers(keys).map((key) => ({ n, key })));
  const rows = await sql.all(TRY_LOCK_PEOPLE, {
    ns: locks.map(({ n }) => n),
    keys: locks.map(({ key }) => key),
  });
  const locked = new Map(rows.map((row) => [row.n, row.locked]));
  return enquiries.map((_keys, n) => locked.get(n) === true);
}

const TRY_LOCK_PEOPLE = statement<
  { ns: readonly number[]; keys: readonly string[] },
  { n: number; locked: boolean }
>(
  'try_lock_people',
  `select n, bool_and(pg_try_advisory_xact_lock(key)) as locked
   from unnest(:ns::int[], :keys::bigint[]) as k (n, key) group by n`,
);

/** Locks the people, as `lockPeople` does, and then the lead: the order in which a merging create takes these locks. */
export async function lockPeopleAndLead(
  sql: Sql,
  keys: readonly string[],
  leadId: string,
): Promise<void> {
  await sql.all(LOCK_PEOPLE_AND_LEAD, { keys: lockNumbers(keys), leadId });
}

const LOCK_PEOPLE_AND_LEAD = statement<{ leadId: string; keys: readonly string[] }>(
  'lock_people_and_lead',
  `select from leads
   where id = :leadId and (select count(pg_advisory_xact_lock(key)) from unnest(:keys::bigint[]) as key) >= 0
   for no key update`,
);

/** Lost connections often come together, and Postgres may be starting again, so the check is repeated for this long. */
const LOOKUP_MS = 2000;
const LOOKUP_PAUSE_MS = 50;

/**
 * After a lost connection, `lock` takes the locks of that transaction, so that it has ended by then. Any
 * other error is thrown again.
 */
export async function wasCommitted(
  database: Database,
  error: unknown,
  submissionIds: readonly string[],
  lock: (sql: Sql) => Promise<void>,
): Promise<boolean> {
  if (!(error instanceof UnknownCommitError)) throw error;
  const giveUpAtMs = performance.now() + LOOKUP_MS;
  for (;;) {
    try {
      return await database.transaction(async (sql) => {
        await lock(sql);
        return (await sql.all(FIND_SUBMISSIONS, { submissionIds })).length > 0;
      });
    } catch (failure) {
      if (performance.now() > giveUpAtMs || !isConnectionError(failure)) throw failure;
    }
    await setTimeout(LOOKUP_PAUSE_MS);
  }
}

const FIND_SUBMISSIONS = statement<{ submissionIds: readonly string[] }>(
  'find_submissions',
  `select from submissions where id = any (:submissionIds::uuid[])`,
);

/** In ascending order: two enquiries of one person cannot hold locks that the other waits for. */
export function lockNumbers(keys: readonly string[]): string[] {
  const numbers = keys.map((key) => createHash('sha256').update(key).digest().readBigInt64BE(0));
  return [...new Set(numbers)].sort((a, b) => (a < b ? -1 : 1)).map(String);
}
