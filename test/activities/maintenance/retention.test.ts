import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import process from 'node:process';
import { readAssignmentHistory } from '../../../store/assignment/read-assignment.ts';
import { purge as purgeByAge } from '../../../store/maintenance/retention.ts';
import { positionEvents } from '../../../store/webhooks/event-feed.ts';
import { prepareYears } from '../../bench/years/prepare.ts';
import { testConfig, startIntake } from '../../support/api.ts';
import { withDatabase } from '../../support/database.ts';
import { fromSetup } from '../../support/environment.ts';

const DAY_MS = 86_400_000;
const LEADS = 12_000;
const DAYS = 120;
/** What is kept. Each test removes a little more. */
const ALL = {
  RETAIN_DELIVERIES_DAYS: '40',
  RETAIN_EVENTS_DAYS: '60',
  RETAIN_EXPLANATIONS_DAYS: '50',
  RETAIN_CHECKS_DAYS: '70',
};

const api = await startIntake();
const { pathname } = new URL(api.config.database.url);
const superuserUrl = withDatabase(fromSetup('TEST_DATABASE_URL'), pathname.slice(1));
const { endpointId } = await prepareYears(api, superuserUrl, { leads: LEADS, days: DAYS });
await positionEvents(api.database);
afterAll(() => api.stop());

/** Nothing becomes old enough to be removed while a test runs. */
const NOW = new Date();

const configOf = (variables: Record<string, string>) =>
  testConfig(api.config.database.url, variables);

const purge = (variables: Record<string, string>) =>
  purgeByAge(api.database, configOf(variables).retain, NOW);

async function counts(): Promise<Record<string, number>> {
  const [row] = await api.database.query<Record<string, number>>(COUNTS_SQL);
  return row ?? {};
}

const CLOSED = `(l.agent_responded_at is not null or l.assignment_status = 'unassigned')`;
const before = (days: number) => `'${NOW.toISOString()}'::timestamptz - interval '${days} days'`;
const COUNTS_SQL = `select
  (select count(*) from webhook_deliveries) as deliveries,
  (select count(*) from webhook_deliveries where status <> 'delivered') as undelivered,
  (select count(*) from webhook_attempts) as attempts,
  (select count(*) from event_feed) as entries,
  (select count(*) from webhook_events) as events,
  (select count(*) from routing_decisions) as explanations,
  (select count(*) from lead_waits where explanation is not null) as waits,
  (select count(*) from lead_waits) as "allWaits",
  (select count(*) from dncr_checks) as checks,
  (select count(*) from assignments) as assignments`;

/** What the settings of `ALL` may remove. */
const REMOVABLE_SQL = `select
  (select count(*) from webhook_deliveries where status = 'delivered' and finished_at < ${before(40)})
  + (select count(*) from webhook_attempts a join webhook_deliveries d using (event_id, endpoint_id)
     where d.status in ('delivered', 'failed') and d.finished_at < ${before(40)})
  + (select count(*) from event_feed f where at < ${before(60)} and not exists (
       select from webhook_deliveries d where d.event_id = f.event_id and d.status <> 'delivered'))
  + (select count(*) from routing_decisions d join assignments a on a.id = d.assignment_id join leads l on l.id = a.lead_id
     where a.decided_at < ${before(50)} and ${CLOSED})
  + (select count(*) from lead_waits w join leads l on l.id = w.lead_id
     where w.explanation is not null and w.decided_at < ${before(50)} and ${CLOSED})
  + (select count(*) from dncr_checks where requested_at < ${before(70)}) as rows`;

async function removable(): Promise<number> {
  const [row] = await api.database.query<{ rows: number }>(REMOVABLE_SQL);
  return row?.rows ?? 0;
}

test('is off unless it is set, and is a number of days', async () => {
  const off = { explanationsMs: null, deliveriesMs: null, eventsMs: null, checksMs: null };
  expect(configOf({}).retain).toEqual(off);
  expect(configOf({ RETAIN_EVENTS_DAYS: '90' }).retain).toEqual({ ...off, eventsMs: 90 * DAY_MS });
  for (const name of Object.keys(ALL)) expect(() => configOf({ [name]: '0' })).toThrow(name);
  const all = await counts();
  expect(await purge({})).toEqual({});
  expect(await counts()).toEqual(all);
});

describe('RETAIN_DELIVERIES_DAYS', () => {
  test('removes delivered deliveries and the attempts of what has ended, and nothing that is due', async () => {
    const all = await counts();
    expect(await purge({ RETAIN_DELIVERIES_DAYS: '100' })).toEqual({
      deliveries: expect.any(Number),
      attempts: expect.any(Number),
    });
    const left = await counts();
    expect(left).toEqual({ ...all, deliveries: left.deliveries, attempts: left.attempts });
    expect(left.deliveries).toBeLessThan(Number(all.deliveries));
    const [old] = await api.database.query(
      `select count(*) filter (where d.status = 'delivered') as delivered, count(*) filter (where d.status = 'failed') as failed,
         count(*) filter (where d.status = 'held') as held, count(a.id) as attempts
       from webhook_deliveries d left join webhook_attempts a using (event_id, endpoint_id) where d.created_at < ${before(101)}`,
    );
    expect(old).toMatchObject({ delivered: 0, attempts: 0 });
    expect(Number(old?.failed)).toBeGreaterThan(10);
    expect(Number(old?.held)).toBeGreaterThan(1);
  });

  test('leaves the newest delivery of an endpoint, however old', async () => {
    const [{ id: quiet } = { id: '' }] = await api.database.query<{ id: string }>(
      `insert into webhook_endpoints (id, client_id, url, events, secret_sealed, created_at)
       select gen_random_uuid(), client_id, 'https://quiet.example', '{}', '', now() from webhook_endpoints where id = $1 returning id`,
      [endpointId],
    );
    await api.database.query(
      `insert into webhook_deliveries (event_id, endpoint_id, lead_id, status, created_at, finished_at)
       select id, $1, lead_id, 'delivered', created_at, created_at from webhook_events order by created_at limit 5`,
      [quiet],
    );
    await purge({ RETAIN_DELIVERIES_DAYS: '100' });
    const left = await api.database.query(`select from webhook_deliveries where endpoint_id = $1`, [
      quiet,
    ]);
    expect(left).toHaveLength(1);
    await api.database.query(`delete from webhook_deliveries where endpoint_id = $1`, [quiet]);
  });
});

describe('RETAIN_EVENTS_DAYS', () => {
  const cursorAt = async (days: number) => {
    const [row] = await api.database.query<{ id: string }>(
      `select event_id as id from event_feed f where at < ${before(days)} and exists (
         select from webhook_deliveries d where d.event_id = f.event_id and status = 'delivered') order by position desc limit 1`,
    );
    return row?.id ?? '';
  };
  const read = (query: string) => api.call('GET', `/public/events?${query}`);

  test('removes events from the feed: an older cursor gets 410 with the way on, the others read all that is left', async () => {
    const [old, newer] = [await cursorAt(95), await cursorAt(20)];
    const expected = (await read(`after=${newer}&limit=5`)).body;
    const all = await counts();
    const purged = (await purge({ RETAIN_EVENTS_DAYS: '90' })) as { events: number };
    const left = await counts();
    expect(Number(all.entries) - Number(left.entries)).toBe(purged.events);
    expect(purged.events).toBeGreaterThan(1000);
    const gone = await read(`after=${old}`);
    expect(gone).toMatchObject({
      status: 410,
      body: { code: 'GONE', details: { oldest: 'first' } },
    });
    expect(gone.body.message).toContain('after=first');
    expect((await read(`after=${newer}&limit=5`)).body).toEqual(expected);
    expect((await read('after=first&limit=1')).status).toBe(200);
    expect((await read('limit=1')).body.data).toHaveLength(1);
    expect((await read(`after=evt_${randomUUID()}`)).status).toBe(410);
  });

  test.each(['evt_of_nobody', '0', '11111111-1111-4111-8111-111111111111'])(
    'a cursor that is none is still 400 where events were removed: %s',
    async (after) => {
      const refused = await read(`after=${after}`);
      expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    },
  );

  test('keeps an event that an endpoint has not got, and one that a delivery is kept of', async () => {
    const [kept] = await api.database.query(
      `select count(*) filter (where d.status <> 'delivered' and f.position is null) as due,
         count(*) filter (where d.status = 'delivered' and f.position is not null) as entries
       from webhook_events e join webhook_deliveries d on d.event_id = e.id left join event_feed f on f.event_id = e.id
       where e.created_at < ${before(91)}`,
    );
    expect(kept).toEqual({ due: 0, entries: 0 });
    const outside = `select from webhook_events e where not exists (select from event_feed where event_id = e.id)`;
    expect((await api.database.query(outside)).length).toBeGreaterThan(100);
    // The last of its deliveries takes it along.
    await purge({ RETAIN_DELIVERIES_DAYS: '89' });
    expect(await api.database.query(outside)).toEqual([]);
  });

  test('leaves a reader of a rare type its cursor, and tells one of other types that it missed some', async () => {
    const [{ id } = { id: '' }] = await api.database.query<{ id: string }>(
      `with e as (update webhook_events set type = 'lead.pooled' where id = (
         select event_id from event_feed where at < ${before(80)} order by position desc limit 1) returning id)
       update event_feed f set type = 'lead.pooled' from e where f.event_id = e.id returning f.event_id as id`,
    );
    await api.database.query(
      `update webhook_deliveries set status = 'delivered', finished_at = created_at where event_id = $1`,
      [id],
    );
    await purge({ RETAIN_EVENTS_DAYS: '75' });
    expect(await read(`after=${id}&types=lead.pooled`)).toMatchObject({
      status: 200,
      body: { data: [] },
    });
    expect((await read(`after=${id}`)).status).toBe(410);
    expect((await read(`after=${id}&types=lead.pooled,lead.created`)).status).toBe(410);
  });
});

describe('RETAIN_EXPLANATIONS_DAYS', () => {
  test('removes what decisions were made from, but for open leads; the history stays', async () => {
    const all = await counts();
    await purge({ RETAIN_EXPLANATIONS_DAYS: '90' });
    const left = await counts();
    expect(left).toEqual({ ...all, explanations: left.explanations, waits: left.waits });
    const old = await api.database.query<{
      leadId: string;
      isClosed: boolean;
      isExplained: boolean;
    }>(
      `select l.id as "leadId", ${CLOSED} as "isClosed", d.assignment_id is not null as "isExplained"
       from leads l join assignments a on a.lead_id = l.id left join routing_decisions d on d.assignment_id = a.id
       where a.decided_at < ${before(91)}`,
    );
    expect(old.filter(({ isClosed, isExplained }) => isClosed === isExplained)).toEqual([]);
    expect(old.filter(({ isExplained }) => isExplained).length).toBeGreaterThan(50);
    const closed = old.find(({ isClosed }) => isClosed)?.leadId ?? '';
    const [entry] = (await readAssignmentHistory(api.database, closed)).slice(-1);
    expect(entry).toMatchObject({ explanation: null, reason: expect.stringContaining('Rule 1') });
  });
});

test('a purge that is killed has done what it did; two others at once do the rest', async () => {
  const all = await removable();
  const env = {
    PATH: '/usr/bin:/bin',
    SECRETS_KEY: '11'.repeat(32),
    DATABASE_URL: api.config.database.url,
    ...ALL,
  };
  const child = spawn(process.execPath, ['test/activities/maintenance/purge.ts'], {
    env,
    stdio: 'inherit',
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  const left = await removable();
  expect(left).toBeLessThan(all);
  expect(left).toBeGreaterThan(0);
  const kept = await counts();
  await Promise.all([purge(ALL), purge(ALL)]);
  // What one passed over since the other had it locked is gone all the same, but for the newest of each type.
  expect(await removable()).toBeLessThan(3);
  expect(await counts()).toMatchObject({
    undelivered: kept.undelivered,
    assignments: kept.assignments,
    allWaits: kept.allWaits,
  });
  expect((await api.call('GET', '/public/events?after=first&limit=500')).status).toBe(200);
});
