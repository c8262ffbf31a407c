import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { relayOutbox } from '../../../worker/outbox-relay.ts';
import { createLeadDispatcher, type LeadDispatcher } from '../../../api/leads/lead-dispatcher.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import { leaseOutboxBatch, OUTBOX_LEASE_MS } from '../../../store/leads/outbox.ts';
import { connectTemporal } from '../../../temporal/connection.ts';
import { startTestApi, testConfig } from '../../support/api.ts';
import { startHangingServer } from '../../support/hanging-server.ts';
import { createTestDispatcher, openTestTemporal } from '../../support/temporal.ts';
import { testActivityContext } from '../../support/worker.ts';

const BURST = 200;

const api = await startTestApi({ queryTimeoutMs: 600_000 }); // a delete waits for a lock
const hanging = await startHangingServer();
const config = testConfig('postgres://none', { TEMPORAL_ADDRESS: hanging.address });
const away = await connectTemporal(config.temporal);
const temporal = await openTestTemporal();
afterAll(async () => {
  await away.close();
  hanging.stop();
  await temporal.connection.close();
  await api.stop();
});

interface Row {
  id: number;
  leadId: string;
}

/** As a create writes them: leased to this process. */
function writeRows(count: number): Promise<Row[]> {
  const leadIds = Array.from({ length: count }, () => randomUUID());
  return api.database.query<Row & Record<string, unknown>>(
    `insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
     select id, 'created', $2::timestamptz, $3 from unnest($1::uuid[]) id
     returning id, lead_id as "leadId"`,
    [leadIds, new Date(), new Date(Date.now() + OUTBOX_LEASE_MS)],
  );
}

const rowsLeft = async () => (await api.database.query(`select id from lead_outbox`)).length;
const relayAt = (at: Date) =>
  relayOutbox(
    testActivityContext(api.database, api.config, () => at),
    temporal.client,
  );
const later = (ms: number) => new Date(Date.now() + ms);

async function signalsOf({ leadId }: Row): Promise<number> {
  const { events } = await temporal.client.workflow.getHandle(`lead/${leadId}`).fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
}

/** Dispatches in a process whose Temporal never answers; its log counts what it left to the relay. */
function dispatchToNobody() {
  const lines: { times: number }[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const { client } = away;
  const { database } = api;
  const dispatcher = createLeadDispatcher({ client, database, log, now: () => new Date() });
  return { dispatcher, lines };
}

const isIdle = (dispatcher: LeadDispatcher) =>
  waitUntil(
    async () => {
      if (dispatcher.waiting > 0) throw new Error(`${dispatcher.waiting} wait`);
    },
    { what: 'A dispatcher with nothing to do' },
  );

test('a process that ends while Temporal says nothing leaves what waits to the relay at once', async () => {
  const { dispatcher, lines } = dispatchToNobody();
  const rows = await writeRows(BURST);
  for (const { id, leadId } of rows) dispatcher.signalLead(leadId, 'created', id);
  expect(dispatcher.waiting).toBe(BURST);
  await dispatcher.drain();
  expect(dispatcher.waiting).toBe(0);
  expect(lines.map(({ times }) => times)).toEqual([1, 15]);
  const due = await api.database.query(`select id from lead_outbox where next_attempt_at <= $1`, [
    new Date(),
  ]);
  expect(due.length).toBeGreaterThanOrEqual(BURST - 16);
  await api.database.query(`delete from lead_outbox`);
});

describe('each row is signalled by one process', () => {
  test('the relay leaves a burst to the process that wrote it, for as long as it takes', async () => {
    const { dispatcher } = dispatchToNobody();
    const rows = await writeRows(BURST);
    for (const { id, leadId } of rows) dispatcher.signalLead(leadId, 'created', id);
    const leased = `select min(next_attempt_at) as until from lead_outbox where attempts = 0`;
    const [{ until: first } = { until: null }] = await api.database.query<{ until: Date }>(leased);
    await waitUntil(
      async () => {
        const [row] = await api.database.query<{ until: Date }>(leased);
        if (!row || !first || row.until <= first) throw new Error('not renewed yet');
      },
      { what: 'The renewed leases' },
    );
    expect(await relayAt(first ?? new Date())).toBe(0);
    await dispatcher.drain();
    await api.database.query(`delete from lead_outbox`);
  });

  test('what a relay took meanwhile is not signalled a second time', async () => {
    const { dispatcher, lines } = dispatchToNobody();
    const rows = await writeRows(BURST);
    for (const { id, leadId } of rows) dispatcher.signalLead(leadId, 'created', id);
    const taken = await leaseOutboxBatch(api.database, later(OUTBOX_LEASE_MS), BURST);
    expect(taken).toHaveLength(BURST);
    await isIdle(dispatcher);
    expect(lines).toHaveLength(1);
    await dispatcher.drain();
    expect(lines.map(({ times }) => times)).toEqual([1, 15]);
    expect(await rowsLeft()).toBe(BURST);
    await api.database.query(`delete from lead_outbox`);
  });

  test('signalled rows go, many with one statement', async () => {
    const dispatcher = createTestDispatcher(temporal.client, api.database);
    const rows = await writeRows(BURST);
    let deletes = 0;
    const stop = api.database.onStatement((text) => {
      if (text.startsWith('delete from lead_outbox')) deletes += 1;
    });
    await api.database.transaction(async (sql) => {
      await sql.query(`lock table lead_outbox in exclusive mode`);
      for (const { id, leadId } of rows) dispatcher.signalLead(leadId, 'created', id);
      await isIdle(dispatcher);
    });
    await dispatcher.drain();
    stop();
    expect(await rowsLeft()).toBe(0);
    expect(deletes).toBeLessThanOrEqual(2); // the first waited while the others were signalled
    for (const row of rows.slice(0, 5)) expect(await signalsOf(row)).toBe(1);
  });
});

test.each([
  ['updated', 'created'],
  ['created', 'updated'],
] as const)('an event %s does not wait behind many events %s', async (event, others) => {
  const dispatcher = createTestDispatcher(temporal.client, api.database);
  const rows = await writeRows(BURST);
  const one = rows.pop() as Row;
  for (const { id, leadId } of rows) dispatcher.signalLead(leadId, others, id);
  dispatcher.signalLead(one.leadId, event, one.id);
  await isIdle(dispatcher);
  await dispatcher.drain();
  const begun = async ({ leadId }: Row) =>
    (await temporal.client.workflow.getHandle(`lead/${leadId}`).describe()).startTime.getTime();
  expect(await begun(one)).toBeLessThan(await begun(rows.at(-1) as Row));
});
