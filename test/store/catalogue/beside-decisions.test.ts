import { waitUntil } from '../../../dev/wait-until.ts';
import { sampleDataset } from '../../support/dataset.ts';
import { imported, openDatabase } from './open.ts';

const open = await openDatabase();
await imported(open.database, sampleDataset());
afterAll(() => open.close());

const OMAR = 'omar@agency.example';
const SARA = 'sara@agency.example';

/** Imports, and does `work` when the import has written all but its last row. */
async function duringImport(dataset: object, work: () => Promise<void>): Promise<void> {
  let importing: Promise<unknown> | undefined;
  await open.database.transaction(async (sql) => {
    await sql.query(`select version from reference_state for update`);
    importing = imported(open.database, dataset);
    await waitUntil(lastRow, { what: 'The last row of the import' });
    await work();
  });
  await importing;
}

async function lastRow(): Promise<void> {
  const waiting = await open.database.query(
    `select pid from pg_stat_activity where datname = current_database()
     and wait_event_type = 'Lock' and query like '%reference_state%'`,
  );
  if (waiting.length === 0) throw new Error('Nothing waits for it.');
}

const lock = (email: string, mode: 'key share' | 'no key update') =>
  open.database.query(`select email from agents where email = $1 for ${mode} nowait`, [email]);

test('agents that a file leaves as they are can be given leads while it is imported, and those that change can be named', async () => {
  const { agents, ...dataset } = sampleDataset();
  const changed = agents.map((agent) =>
    agent.email === OMAR ? { ...agent, phone: '+971500000099' } : agent,
  );
  await duringImport({ ...dataset, agents: changed }, async () => {
    expect(await lock(SARA, 'no key update')).toHaveLength(1);
    expect(await lock(OMAR, 'key share')).toHaveLength(1);
    await expect(lock(OMAR, 'no key update')).rejects.toMatchObject({ code: '55P03' });
  });
  expect(await open.database.query(`select phone from agents where email = $1`, [OMAR])).toEqual([
    { phone: '+971500000099' },
  ]);
});
