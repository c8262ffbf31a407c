import type { NotNull } from 'kysely';
import type { StateGauge, StateReading } from '../../platform/operations-server.ts';
import type { Sql, TypedQuery } from '../db/database.ts';
import { IS_LATE, REMINDER } from './outbox.ts';
import { IS_END_BEFORE_WAIT } from './waiting-leads.ts';

/**
 * A gauge with its query, which returns `value`, and `label` where there is one, and is cheap at any size of the tables.
 * Words that indexes are made for stand in it as literals.
 */
interface StateNumber extends Omit<StateGauge, 'read'> {
  /** Values of the label that are 0 where the query returns none. */
  always?: readonly string[];
  select: (sql: Sql) => TypedQuery<StateReading>;
}

const countRows = ({ fragment }: Sql) => fragment<number>`count(*)`.as('value');

const ago = ({ fragment }: Sql, interval: string) =>
  fragment<Date>`now() - ${fragment.lit(interval)}::interval`;

/** In seconds; 0: there is none. */
const oldest = ({ fragment }: Sql, column: string) => {
  const first = fragment`min(${fragment.ref(column)})`;
  return fragment<number>`coalesce(extract(epoch from now() - ${first}), 0)::float8`.as('value');
};

const pendingLeads = ({ tables, fragment }: Sql) =>
  tables
    .selectFrom('leads as l')
    .where('l.assignment_status', '=', fragment.lit<'pending'>('pending'));

/** Whether the pending lead `l` waits for an agent. */
const isWaiting = ({ tables, fragment }: Sql) => {
  const ofRound = fragment<boolean>`w.lead_id = l.id and w.round = l.round`;
  return fragment<boolean>`exists ${tables.selectFrom('lead_waits as w').where(ofRound)}`;
};

const createdInHour = (sql: Sql, week: string, before: string) =>
  sql.tables
    .selectFrom('leads')
    .select([sql.fragment.lit(week).as('label'), countRows(sql)])
    .where('created_at', '>', sql.fragment<Date>`${ago(sql, before)} - interval '1 hour'`)
    .where('created_at', '<=', ago(sql, before));

const decidedLastHour = (sql: Sql) =>
  sql.tables
    .selectFrom('assignments as a')
    .select(countRows(sql))
    .where('a.decided_at', '>', ago(sql, '1 hour'));

const pendingDeliveries = ({ tables, fragment }: Sql) =>
  tables.selectFrom('webhook_deliveries').where('status', '=', fragment.lit<'pending'>('pending'));

const stateNumbers: readonly StateNumber[] = [
  {
    name: 'leads_last_day',
    help: 'Leads created in the last 24 hours, by assignment state.',
    label: 'status',
    select: (sql) =>
      sql.tables
        .selectFrom('leads')
        .select(['assignment_status as label', countRows(sql)])
        .where('created_at', '>', ago(sql, '24 hours'))
        .groupBy('assignment_status'),
  },
  {
    name: 'leads_created_last_hour',
    help: 'Leads created in the last hour, and in the same hour of the week before.',
    label: 'week',
    select: (sql) => createdInHour(sql, 'this', '0').unionAll(createdInHour(sql, 'last', '7 days')),
  },
  {
    name: 'leads_waiting',
    help: 'Leads of any age that nobody holds yet: pending a decision, waiting for an agent, or in a pool.',
    label: 'status',
    always: ['pending', 'waiting'],
    select: (sql) => {
      const { tables, fragment } = sql;
      const state = fragment<string>`case when ${isWaiting(sql)} then 'waiting' else 'pending' end`;
      const inPools = tables
        .selectFrom('leads')
        .select([fragment.lit('pool').as('label'), countRows(sql)])
        .where('pool_id', 'is not', null);
      return pendingLeads(sql)
        .select([state.as('label'), countRows(sql)])
        .groupBy('label')
        .unionAll(inPools);
    },
  },
  {
    name: 'lead_pending_oldest_seconds',
    help: 'For how long the oldest pending lead has waited for its decision.',
    select: (sql) =>
      pendingLeads(sql)
        .select(oldest(sql, 'l.updated_at'))
        .where(({ not }) => not(isWaiting(sql))),
  },
  {
    name: 'lead_outbox_rows',
    help: 'Events of leads whose workflow is not signalled yet.',
    select: (sql) =>
      sql.tables.selectFrom('lead_outbox').select(countRows(sql)).where('event', '<>', REMINDER),
  },
  {
    name: 'lead_outbox_lag_seconds',
    help: 'Age of the oldest event whose workflow is not signalled yet, but for bulk events that wait for their turn.',
    select: (sql) =>
      sql.tables
        .selectFrom('lead_outbox')
        .select(oldest(sql, 'created_at'))
        .where(sql.fragment.raw<boolean>(IS_LATE)),
  },
  {
    name: 'routing_decisions_last_hour',
    help: 'Decisions about leads in the last hour, by who decided.',
    label: 'decided_by',
    select: (sql) => decidedLastHour(sql).select('a.decided_by as label').groupBy('a.decided_by'),
  },
  {
    name: 'routing_outcomes_last_hour',
    help: 'Decisions about leads in the last hour, by what came of them.',
    label: 'status',
    // A lead that an operator sent back and that waits has no outcome yet.
    select: (sql) =>
      decidedLastHour(sql)
        .select('a.status as label')
        .where(({ not }) => not(sql.fragment.raw<boolean>(IS_END_BEFORE_WAIT)))
        .groupBy('a.status'),
  },
  {
    name: 'webhook_deliveries_pending',
    help: 'Deliveries that are neither delivered nor given up.',
    select: (sql) => pendingDeliveries(sql).select(countRows(sql)),
  },
  {
    name: 'webhook_delivery_oldest_pending_seconds',
    help: 'Age of the oldest delivery that is neither delivered nor given up.',
    select: (sql) => pendingDeliveries(sql).select(oldest(sql, 'created_at')),
  },
  {
    name: 'webhook_deliveries_failed_last_day',
    help: 'Deliveries given up in the last 24 hours.',
    select: (sql) =>
      sql.tables
        .selectFrom('webhook_deliveries')
        .select(countRows(sql))
        .where('status', '=', sql.fragment.lit<'failed'>('failed'))
        .where('finished_at', '>', ago(sql, '24 hours')),
  },
  {
    name: 'webhook_endpoints',
    help: 'Endpoints of integrators, by whether they are switched on.',
    label: 'state',
    always: ['enabled', 'disabled'],
    select: (sql) => {
      const state = sql.fragment<string>`case when enabled then 'enabled' else 'disabled' end`;
      const endpoints = sql.tables.selectFrom('webhook_endpoints');
      return endpoints.select([state.as('label'), countRows(sql)]).groupBy('label');
    },
  },
  {
    name: 'webhook_endpoint_failing_seconds',
    help: 'For how long an endpoint that is switched on has failed without a success; 0: it does not.',
    label: 'endpoint',
    select: (sql) =>
      sql.tables
        .selectFrom('webhook_endpoints')
        .select(['id as label', oldest(sql, 'failing_since')])
        .where('enabled', '=', true)
        .groupBy('id'),
  },
];

async function readState({ select, always = [] }: StateNumber, sql: Sql): Promise<StateReading[]> {
  const readings = await sql.run(select(sql));
  const missing = always.filter((label) => !readings.some((reading) => reading.label === label));
  return [...readings, ...missing.map((label) => ({ label, value: 0 }))];
}

/**
 * The gauges of the service's state, read from Postgres at each scrape, so that any number of processes report the
 * same.
 */
export function stateGauges(sql: Sql): StateGauge[] {
  return stateNumbers.map((number) => ({ ...number, read: () => readState(number, sql) }));
}

/** The figures of `leadctl status`. They come from the gauges' queries, so that the dashboard shows the same. */
export type WorkFigures = Awaited<ReturnType<typeof readWorkFigures>>;

export async function readWorkFigures(sql: Sql, today: Date) {
  const read = async (name: string): Promise<Map<string | undefined, number>> => {
    const number = stateNumbers.find((each) => each.name === name);
    const readings = number ? await readState(number, sql) : [];
    return new Map(readings.map(({ label, value }) => [label, value]));
  };
  const [held, oldest, rows, lag, created, undelivered, unassigned, failing] = await Promise.all([
    read('leads_waiting'),
    read('lead_pending_oldest_seconds'),
    read('lead_outbox_rows'),
    read('lead_outbox_lag_seconds'),
    read('leads_created_last_hour'),
    read('webhook_delivery_oldest_pending_seconds'),
    countUnassignedSince(sql, today),
    readFailingEndpoints(sql),
  ]);
  return {
    leads: {
      pending: held.get('pending') ?? 0,
      oldestPendingSeconds: oldest.get(undefined) ?? 0,
      waiting: held.get('waiting') ?? 0,
      unassignedToday: unassigned,
      pool: held.get('pool') ?? 0,
    },
    outbox: { rows: rows.get(undefined) ?? 0, lagSeconds: lag.get(undefined) ?? 0 },
    webhooks: {
      failing: failing.length,
      oldestPendingSeconds: undelivered.get(undefined) ?? 0,
      failingEndpoints: failing,
    },
    enquiries: {
      lastHour: created.get('this') ?? 0,
      sameHourLastWeek: created.get('last') ?? 0,
    },
  };
}

async function countUnassignedSince({ tables, run }: Sql, time: Date): Promise<number> {
  const unassigned = tables
    .selectFrom('leads')
    .select(({ fn }) => fn.countAll<number>().as('leads'))
    .where('assignment_status', '=', 'unassigned')
    .where('placed_at', '>=', time);
  const [count] = await run(unassigned);
  return count?.leads ?? 0;
}

export interface FailingEndpoint {
  endpointId: string;
  clientId: string;
  clientName: string;
  url: string;
  failingSince: Date;
}

function readFailingEndpoints({ tables, run }: Sql): Promise<FailingEndpoint[]> {
  return run(
    tables
      .selectFrom('webhook_endpoints as p')
      .innerJoin('oauth_clients as c', 'c.id', 'p.client_id')
      .select(['p.id as endpointId', 'c.client_id as clientId', 'c.name as clientName'])
      .select(['p.url', 'p.failing_since as failingSince'])
      .where('p.enabled', '=', true)
      .where('p.failing_since', 'is not', null)
      .orderBy('p.failing_since')
      .$narrowType<{ failingSince: NotNull }>(),
  );
}
