import { pino } from 'pino';
import { waitUntil } from '../../dev/wait-until.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { readAbandonedVersions } from '../../temporal/worker-versions.ts';
import { startTestApi } from '../support/api.ts';
import { startVersionReports } from '../../worker/deployment-version.ts';
import { makeCurrent, openTestTemporal, signalLead } from '../support/temporal.ts';
import { startTestWorkers, testActivityContext } from '../support/worker.ts';

const FIRST = { deploymentName: 'leads', buildId: 'first' };
const SECOND = { deploymentName: 'leads', buildId: 'second' };

const lines: string[] = [];

const temporal = await openTestTemporal();
const api = await startTestApi({ temporal: temporal.client });
const context = testActivityContext(api.database, api.config);
const start = (version: typeof FIRST) => startTestWorkers(context, temporal.target, version);
const workers = [await start(FIRST), await start(SECOND)];
const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) });
const reports = startVersionReports(temporal.client, FIRST, { address: 'temporal:7233', log });
afterAll(async () => {
  await reports.stop();
  await Promise.all(workers.map((each) => each.stop()));
  await api.stop();
  await temporal.connection.close();
});

const reported = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

/** Until so many changes are logged; returns the newest. */
function change(count: number) {
  const newest = async () => {
    expect(reported()).toHaveLength(count);
    return reported()[count - 1];
  };
  return waitUntil(newest, { what: `Report ${count}`, everyMs: 200 });
}

test('a worker says which version it is, with the command that makes it current, and what becomes of it', async () => {
  const { namespace } = temporal.target;
  expect(await change(1)).toEqual({
    level: 40,
    ...FIRST,
    status: 'inactive',
    setCurrent:
      'temporal worker deployment set-current-version --address temporal:7233 ' +
      `--namespace ${namespace} --deployment-name leads --build-id first`,
    msg: 'no run starts on this version until it is made current',
  });
  await makeCurrent(temporal.client, FIRST);
  expect(await change(2)).toMatchObject({ level: 30, ...FIRST, status: 'current' });
  const { id: leadId } = await api.create();
  await signalLead(temporal.client, leadId, 'created');
  const isBegun = async () =>
    expect((await leadRun(temporal.client, leadId).describe()).historyLength).toBeGreaterThan(4);
  await waitUntil(isBegun, { what: 'The run on the first version' });
  await makeCurrent(temporal.client, SECOND);
  expect(await change(3)).toMatchObject({ level: 30, ...FIRST, status: 'draining' });

  // While its workers poll; then as if none had for long.
  expect(await readAbandonedVersions(temporal.client)).toEqual([]);
  const abandoned = async () =>
    expect(await readAbandonedVersions(temporal.client, -60_000)).toEqual([
      { ...FIRST, openRuns: 1 },
    ]);
  await waitUntil(abandoned, { what: 'The run in the list of open ones' });
});
