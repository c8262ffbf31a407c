import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../../../dev/wait-until.ts';
import { countRuns } from '../../../temporal/workflow-runs.ts';
import { dncrCheckOptions } from '../../../workflows/contracts/dncr-check.ts';
import { housekeepingOptions } from '../../../workflows/contracts/housekeeping.ts';
import { leadLifecycleOptions } from '../../../workflows/contracts/lead-lifecycle.ts';
import { startCommandService } from '../../cli/service.ts';
import { newFolder } from '../../support/folder.ts';
import { runProgram } from '../../support/program.ts';
import type { TestTemporal } from '../../support/temporal.ts';
import { HEAD, passed, tableIn } from './table.ts';

const { temporal, stop } = await startCommandService();
afterAll(stop);

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Runs workflows of leads that do not exist, so that they end at once; the check stays open, since no worker takes it. */
async function runWorkflows({ client }: TestTemporal): Promise<void> {
  await Promise.all([
    client.workflow.execute('Housekeeping', { workflowId: 'housekeeping', ...housekeepingOptions }),
    client.workflow.start('DncrCheck', dncrCheckOptions(id(1), 600_000)),
    ...[2, 3, 4].map((lead) =>
      client.workflow.execute('LeadLifecycle', leadLifecycleOptions(id(lead))),
    ),
  ]);
  const query = `ExecutionStatus = 'Completed' OR WorkflowType = 'DncrCheck'`;
  await waitUntil(async () => expect(await countRuns(client, query)).toBe(5), { what: query });
}

await runWorkflows(temporal);

function replayLive(words: readonly string[], variables: Record<string, string> = {}) {
  const { address, namespace } = temporal.target;
  const env = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, ...variables };
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  return runProgram(process.execPath, ['dev/replay.ts', '--live', ...words], { cwd, env });
}

describe('npm run replay -- --live', () => {
  test('replays the runs of every workflow of the service, open and closed', async () => {
    const { code, stdout } = await replayLive([]);
    expect(tableIn(stdout)).toEqual([
      HEAD,
      passed('DncrCheck', 1),
      passed('Housekeeping', 1),
      passed('LeadLifecycle', 3),
    ]);
    expect(code).toBe(0);
  });

  test('of a query so many of each type and state, on the stack that runs in DATA_DIR', async () => {
    const folder = newFolder();
    const stack = { temporalAddress: temporal.target.address };
    await writeFile(path.join(folder, 'stack.json'), JSON.stringify(stack));
    const words = ['--query', `WorkflowType != 'Housekeeping'`, '--sample', '2'];
    const { stdout } = await replayLive(words, { TEMPORAL_ADDRESS: '', DATA_DIR: folder });
    expect(tableIn(stdout)).toEqual([HEAD, passed('DncrCheck', 1), passed('LeadLifecycle', 2)]);
  });

  test('asks in the namespace of the stack', async () => {
    const folder = newFolder();
    const settings = { TEMPORAL_NAMESPACE: 'of-the-stack' };
    const stack = { temporalAddress: temporal.target.address, settings };
    await writeFile(path.join(folder, 'stack.json'), JSON.stringify(stack));
    const unset = { TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '' };
    const { stderr } = await replayLive([], { ...unset, DATA_DIR: folder });
    expect(stderr).toContain('Namespace of-the-stack is not found.');
  });

  test.each([
    [['--query', `RunId = 'none'`], {}, 'There is no history to replay.'],
    [['--query', 'bogus = =', '--sample', '2'], {}, 'Temporal does not accept the query: '],
    [['--query', 'Nothing = 1'], {}, 'Temporal does not accept the query: '],
    [[], { TEMPORAL_ADDRESS: '127.0.0.1:1' }, 'Temporal cannot be reached at 127.0.0.1:1: '],
    [[], { TEMPORAL_NAMESPACE: 'no-such' }, 'Namespace no-such is not found.'],
    [[], { TEMPORAL_TLS: 'maybe' }, 'TEMPORAL_TLS'],
  ])('says why and fails where nothing is replayed: %j %j', async (words, variables, text) => {
    const { code, stdout, stderr } = await replayLive(words, variables);
    expect(stderr).toContain(text);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });
});
