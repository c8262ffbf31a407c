import type { InferResult, Selectable } from 'kysely';
import type { Sql } from '../db/database.ts';
import type { Page } from '../db/page.ts';
import type { Tables } from '../tables/index.ts';

const selectAnswers = ({ tables }: Sql) =>
  tables
    .selectFrom('dncr_answers')
    .select([
      'status',
      'dncr_status as dncrStatus',
      'registry_status as registryStatus',
      'checked_at as checkedAt',
      'transaction_id as transactionId',
    ]);

export type CachedAnswer = InferResult<ReturnType<typeof selectAnswers>>[number];

export async function readAnswer(sql: Sql, phone: string): Promise<CachedAnswer | null> {
  const [answer] = await sql.run(selectAnswers(sql).where('phone', '=', phone));
  return answer ?? null;
}

const selectChecks = ({ tables }: Sql) =>
  tables
    .selectFrom('dncr_checks as c')
    .innerJoin('oauth_clients as o', 'o.id', 'c.client_id')
    .select([
      'c.id',
      'o.name as client',
      'c.requested_at as requestedAt',
      'c.outcome',
      'c.fresh',
      'c.transaction_id as transactionId',
    ]);

export type CheckRecord = InferResult<ReturnType<typeof selectChecks>>[number];

/** Who asked about a number, newest first. Reads every record: this is asked for rarely. */
export async function readChecksOf(
  sql: Sql,
  numberHash: Buffer,
  limit: number,
): Promise<Page<CheckRecord>> {
  const rows = await sql.run(
    selectChecks(sql)
      .select(({ fn }) => fn.countAll<number>().over().as('total'))
      .where(sql.fragment<boolean>`${numberHash} = any(c.number_hashes)`)
      .orderBy('c.requested_at', 'desc')
      .limit(limit),
  );
  return { rows: rows.map(({ total: _total, ...check }) => check), total: rows[0]?.total ?? 0 };
}

type Check = Selectable<Tables['dncr_checks']>;
export type DncrStats = Awaited<ReturnType<typeof readStats>>;

export async function readStats(
  { tables, run }: Sql,
  { now, freshSince, since }: { now: Date; freshSince: Date; since: Date },
) {
  const cached = tables.selectFrom('dncr_answers').select(({ fn }) => {
    const count = () => fn.countAll<number>();
    return [
      count().filterWhere('checked_at', '>', freshSince).as('fresh'),
      count().filterWhere('checked_at', '<=', freshSince).as('expired'),
      fn.min<Date | null>('checked_at').as('oldest'),
      fn.max<Date | null>('checked_at').as('newest'),
    ];
  });
  const checked = tables.selectFrom('dncr_checks').where('requested_at', '>', since);
  const counted = checked.select(({ fn, lit }) => {
    const ended = (outcome: Check['outcome']) =>
      fn.countAll<number>().filterWhere('outcome', '=', outcome).as(outcome);
    const total = (column: keyof Check) => fn.coalesce(fn.sum<number>(column), lit(0));
    return [
      ended('answered'),
      ended('failed'),
      ended('open'),
      total('from_cache').as('fromCache'),
      total('from_registry').as('fromRegistry'),
      total('registered').as('registered'),
      total('not_registered').as('notRegistered'),
      total('not_found').as('notFound'),
      total('unavailable').as('unavailable'),
      total('invalid').as('invalid'),
    ];
  });
  // Numbers that are being asked for just now.
  const held = tables.selectFrom('dncr_leases').where('lease_until', '>', now);
  const [cache] = await run(cached);
  const [checks] = await run(counted);
  const [leases] = await run(held.select(({ fn }) => fn.countAll<number>().as('leases')));
  if (!cache || !checks || !leases) throw new Error('A count gave no row.');
  return { cache, checks, ...leases };
}
