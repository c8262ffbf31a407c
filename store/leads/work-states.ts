import type { StateGauge, StateReading } from '../../platform/operations-server.ts';
import { IS_END_BEFORE_WAIT, WAIT_OF_LEAD } from './waiting-leads.ts';
import type { Sql } from '../db/database.ts';
import { statement, type NoParams } from '../db/statement.ts';
import { IS_LATE, REMINDER } from './outbox.ts';

/** The SQL returns `value` and perhaps `label`, and is cheap at any table size. */
type StateNumber = Omit<StateGauge, 'read'> & { sql: string };

const age = (column: string) =>
  `coalesce(extract(epoch from now() - min(${column})), 0)::float8 as value`;

const PENDING = `
  select l.id, l.updated_at, case when exists (${WAIT_OF_LEAD}) then 'waiting' else 'pending' end as state
  from leads l where l.assignment_status = 'pending'`;

/** Deliveries to deactivated clients are held, so they neither fail nor succeed. */
const CALLED_ENDPOINTS = `
  webhook_endpoints p join oauth_clients c on c.id = p.client_id where p.enabled and c.active`;

const stateNumbers: readonly StateNumber[] = [
  {
    name: 'leads_last_day',
    help: 'Leads created in the last 24 hours, by assignment state.',
    label: 'status',
    sql: `select assignment_status as label, count(*) as value from leads
          where created_at > now() - interval '24 hours' group by 1`,
  },
  {
    name: 'leads_created_last_hour',
    help: 'Leads created in the last hour, and in the same hour of the week before.',
    label: 'week',
    sql: `select week as label, (select count(*) from leads
            where created_at > now() - ago - interval '1 hour' and created_at <= now() - ago) as value
          from (values ('this', interval '0'), ('last', interval '7 days')) weeks (week, ago)`,
  },
  {
    name: 'leads_waiting',
    help: 'Leads of any age that nobody holds yet: pending a decision, waiting for an agent, or in a pool.',
    label: 'status',
    sql: `select state as label, count(l.id) as value from (values ('pending'), ('waiting')) states (state)
          left join (${PENDING}) l using (state) group by 1
          union all select 'pool', count(*) from leads where pool_id is not null`,
  },
  {
    name: 'lead_pending_oldest_seconds',
    help: 'For how long the oldest pending lead has waited for its decision.',
    sql: `select ${age('updated_at')} from (${PENDING}) l where state = 'pending'`,
  },
  {
    name: 'lead_outbox_rows',
    help: 'Events of leads whose workflow is not signalled yet.',
    sql: `select count(*) as value from lead_outbox where event <> '${REMINDER}'`,
  },
  {
    name: 'lead_outbox_lag_seconds',
    help: 'Age of the oldest event whose workflow is not signalled yet, but for bulk events that wait for their turn.',
    sql: `select ${age('created_at')} from lead_outbox where ${IS_LATE}`,
  },
  {
    name: 'routing_decisions_last_hour',
    help: 'Decisions about leads in the last hour, by who decided.',
    label: 'decided_by',
    sql: `select decided_by as label, count(*) as value from assignments
          where decided_at > now() - interval '1 hour' group by 1`,
  },
  {
    name: 'routing_outcomes_last_hour',
    help: 'Decisions about leads in the last hour, by what came of them.',
    label: 'status',
    // A queued lead that an operator sent back has no outcome yet.
    sql: `select status as label, count(*) as value from assignments a
          where decided_at > now() - interval '1 hour' and not ${IS_END_BEFORE_WAIT} group by 1`,
  },
  {
    name: 'webhook_deliveries_pending',
    help: 'Deliveries that are neither delivered nor given up.',
    sql: `select count(*) as value from webhook_deliveries where status = 'pending'`,
  },
  {
    name: 'webhook_delivery_oldest_pending_seconds',
    help: 'Age of the oldest delivery that is neither delivered nor given up.',
    sql: `select ${age('created_at')} from webhook_deliveries where status = 'pending'`,
  },
  {
    name: 'webhook_deliveries_failed_last_day',
    help: 'Deliveries given up in the last 24 hours.',
    sql: `select count(*) as value from webhook_deliveries
          where status = 'failed' and finished_at > now() - interval '24 hours'`,
  },
  {
    name: 'webhook_endpoints',
    help: 'Endpoints of integrators, by whether they are switched on.',
    label: 'state',
    sql: `select state as label, count(id) as value
          from (values ('enabled', true), ('disabled', false)) states (state, enabled)
          left join webhook_endpoints using (enabled) group by 1`,
  },
  {
    name: 'webhook_endpoint_failing_seconds',
    help: 'For how long an endpoint that is switched on, of an active client, has failed without a success; 0: it does not.',
    label: 'endpoint',
    sql: `select p.id as label, coalesce(extract(epoch from now() - p.failing_since), 0)::float8 as value
          from ${CALLED_ENDPOINTS}`,
  },
];

const gauges = stateNumbers.map(({ sql, ...gauge }) => ({
  gauge,
  readings: statement<NoParams, StateReading>(`gauge_${gauge.name}`)`${sql}`,
}));

/** Read from Postgres at each scrape, so that all processes report the same. */
export function stateGauges(sql: Sql): StateGauge[] {
  return gauges.map(({ gauge, readings }) => ({ ...gauge, read: () => sql.all(readings, {}) }));
}

/** From the gauges' statements, so that `leadctl status` and the dashboard agree. */
export type WorkFigures = Awaited<ReturnType<typeof readWorkFigures>>;

export async function readWorkFigures(sql: Sql, today: Date) {
  const read = async (name: string) => {
    const gauge = stateGauges(sql).find((state) => state.name === name);
    const readings = (await gauge?.read()) ?? [];
    return (label?: string) => Number(readings.find((each) => each.label === label)?.value ?? 0);
  };
  const [held, oldest, rows, lag, created, undelivered, unassigned, failing] = await Promise.all([
    read('leads_waiting'),
    read('lead_pending_oldest_seconds'),
    read('lead_outbox_rows'),
    read('lead_outbox_lag_seconds'),
    read('leads_created_last_hour'),
    read('webhook_delivery_oldest_pending_seconds'),
    sql.first(COUNT_UNASSIGNED_SINCE, { today }),
    sql.all(READ_FAILING_ENDPOINTS, {}),
  ]);
  return {
    leads: {
      pending: held('pending'),
      oldestPendingSeconds: oldest(),
      waiting: held('waiting'),
      unassignedToday: unassigned?.leads ?? 0,
      pool: held('pool'),
    },
    outbox: { rows: rows(), lagSeconds: lag() },
    webhooks: {
      failing: failing.length,
      oldestPendingSeconds: undelivered(),
      failingEndpoints: failing,
    },
    enquiries: { lastHour: created('this'), sameHourLastWeek: created('last') },
  };
}

const COUNT_UNASSIGNED_SINCE = statement<{ today: Date }, { leads: number }>(
  'count_unassigned_since',
)`
select count(*)::int as leads from leads where assignment_status = 'unassigned' and placed_at >= :today`;

interface FailingEndpoint {
  endpointId: string;
  clientId: string;
  clientName: string;
  url: string;
  failingSince: Date;
}

const READ_FAILING_ENDPOINTS = statement<NoParams, FailingEndpoint>('read_failing_endpoints')`
select p.id as "endpointId", c.client_id as "clientId", c.name as "clientName", p.url,
  p.failing_since as "failingSince"
from ${CALLED_ENDPOINTS} and p.failing_since is not null order by p.failing_since`;
