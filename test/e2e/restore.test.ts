import '../support/quiet-temporal.ts';
import { startReceiver, type Receiver } from '../../dev/receiver/server.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { bumpReferenceVersion } from '../../store/catalogue/reference-version.ts';
import { connectDatabase, type Database } from '../../store/db/database.ts';
import { addListener } from '../replay/record/live-service.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { copyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { leadActions, type LeadActions } from '../support/lead-actions.ts';
import { startServiceProcess } from '../support/process.ts';
import { activateRules, makeSource, makeTeam } from '../support/routing.ts';
import { createTestDispatcher, openTestTemporal, type TestNamespace } from '../support/temporal.ts';
import { zoneAtNoon } from '../support/working-time.ts';

// A backup is restored beside a Temporal server that knows nothing of it (docs/operations.md, "Backup and restore").

let receiver: Receiver;
let original: TestDatabase;
let copy: TestDatabase | undefined;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  original = await createTestDatabase();
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await receiver?.stop();
  await copy?.drop();
  await original?.drop();
});

async function startWorker({ url }: TestDatabase, { address, namespace }: TestNamespace) {
  const worker = await startServiceProcess('worker/worker.ts', {
    DATABASE_URL: url,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    WEBHOOK_ALLOW_PRIVATE: '1',
    WEBHOOK_RETRY_SECONDS: Array.from({ length: 300 }, () => '1').join(),
    RECONCILE_AFTER_SECONDS: '2',
    LOG_LEVEL: 'warn',
  });
  ends.push(() => worker.stop('SIGKILL'));
  return worker;
}

const OFFICE = 'Office walk-in';

/** The office is closed, and its leads wait; the others' leads have a follow-up in an hour. */
async function addTeams({ database }: TestApi, { addAgent }: LeadActions): Promise<void> {
  const closed = { time_zone: zoneAtNoon(), working_hours: { 'mon-sun': '03:00-04:00' } };
  const office = await makeTeam(database, [await addAgent(closed)]);
  const others = [await addAgent(), await addAgent()];
  const team = await makeTeam(database, others);
  await activateRules(database, [
    {
      when: [[{ field: 'source', op: 'in', values: [await makeSource(database, OFFICE)] }]],
      target: { kind: 'team', teamId: office },
      gates: { availability: 'working_hours' },
      followUp: { minutes: 0 },
      onExhausted: { kind: 'wait', atMostMinutes: 1500 },
    },
    {
      target: { kind: 'team', teamId: team },
      followUp: { minutes: 60, onExpiry: 'reassign', maxMoves: 1 },
    },
  ]);
}

/** Until the statement returns so many rows. */
async function rows(database: Database, count: number, text: string): Promise<void> {
  await waitUntil(async () => expect(await database.query(text)).toHaveLength(count), {
    what: text,
    everyMs: 50,
  });
}

const WAITING = `select from lead_waits w join leads l on l.id = w.lead_id where l.assignment_status = 'pending'`;
const UNDELIVERED = `select event_id as id from webhook_deliveries where status <> 'delivered'`;
const RETRIED = `${UNDELIVERED} and attempts > 0`;

/** What the receiver accepted since it was cleared last. */
const accepted = () =>
  receiver
    .received()
    .filter(({ answered }) => answered.startsWith('2'))
    .map(({ id }) => id);

test('every lead, clock, wait and delivery of a backup goes on beside an empty Temporal', async () => {
  // Before the backup.
  const old = await openTestTemporal();
  ends.push(() => old.connection.close());
  const dispatcher = (database: Database) => createTestDispatcher(old.client, database);
  const api = await startTestApi({
    databaseUrl: original.url,
    temporal: old.client,
    leads: dispatcher,
  });
  const actions = leadActions(api, old.client);
  await addTeams(api, actions);
  await addListener(api, `${receiver.url}/hooks/crm`, api.client);
  const worker = await startWorker(original, old.target);
  await actions.becomes(await actions.create(), 'assigned');
  await rows(api.database, 0, UNDELIVERED);
  const told = accepted();
  receiver.setBehaviour({ mode: 'fail' });
  const waits = await actions.create({ source: OFFICE });
  await rows(api.database, 1, WAITING);
  const held = await actions.create();
  await actions.becomes(held, 'assigned');
  await rows(api.database, 3, RETRIED);
  await worker.stop('SIGKILL');
  const unrouted = await actions.create();
  const due = (await api.database.query<{ id: string }>(UNDELIVERED)).map(({ id }) => id);
  expect(due).toHaveLength(4);
  await api.stop();

  // The backup, and what is delivered after it.
  copy = await copyDatabase(original);
  receiver.clear();
  receiver.setBehaviour({ mode: 'ok' });
  const later = await startWorker(original, old.target);
  await waitUntil(async () => expect(accepted()).toEqual(expect.arrayContaining(due)), {
    what: 'What was due, after the backup',
  });
  await later.stop('SIGKILL');

  // The restored one, an hour later.
  receiver.clear();
  const empty = await openTestTemporal();
  ends.push(() => empty.connection.close());
  await startWorker(copy, empty.target);
  const database = await connectDatabase({
    url: copy.adminUrl,
    poolSize: 2,
    connectTimeoutMs: 60_000,
  });
  ends.push(() => database.close());
  const isAssigned = (leadId: string) =>
    `select from leads where id = '${leadId}' and assignment_status = 'assigned'`;
  await rows(database, 1, isAssigned(unrouted));
  const [before] = await database.query(`select owner_id from leads where id = $1`, [held]);
  await database.query(`update leads set follow_up_due_at = now() where id = $1`, [held]);
  const moved = `select from assignments where lead_id = '${held}' and status = 'assigned'`;
  await rows(database, 2, moved);
  const [after] = await database.query(`select owner_id from leads where id = $1`, [held]);
  expect(after).not.toEqual(before);
  await database.query(`update agents set working_hours = '{}'`);
  await bumpReferenceVersion(database);
  await rows(database, 1, isAssigned(waits));
  await rows(database, 0, UNDELIVERED);

  const again = accepted();
  expect(again).toEqual(expect.arrayContaining(due));
  expect(again.filter((id) => told.includes(id))).toEqual([]);
  expect(new Set(again).size).toBe(again.length);
});
