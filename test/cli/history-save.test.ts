import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { historyCommands } from '../../cli/history.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { countRuns } from '../../temporal/workflow-runs.ts';
import { leadLifecycleOptions } from '../../workflows/contracts/lead-lifecycle.ts';
import { dncrCheckOptions } from '../../workflows/contracts/dncr-check.ts';
import { housekeepingOptions } from '../../workflows/contracts/housekeeping.ts';
import { webhookTestOptions } from '../../workflows/contracts/webhook-test.ts';
import { readable } from '../replay/payloads.ts';
import { savedHistories } from '../replay/saved-histories.ts';
import { startTestApi } from '../support/api.ts';
import { newFolder } from '../support/folder.ts';
import { startGrpcProxy } from '../support/grpc-proxy.ts';
import { leadActions } from '../support/lead-actions.ts';
import { activateRules, makeAgent } from '../support/routing.ts';
import { openTestTemporal, signalLead, type TestTemporal } from '../support/temporal.ts';
import { startTestWorkers, testActivityContext } from '../support/worker.ts';
import { leadctlFor } from './leadctl.ts';

const variablesFor = ({ target }: TestTemporal) => ({
  DATABASE_URL: api.config.database.url,
  TEMPORAL_ADDRESS: target.address,
  TEMPORAL_NAMESPACE: target.namespace,
});

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A lead whose run stays open until its merge window ends. */
async function openRun(): Promise<string> {
  const leadId = await leads.create();
  await signalLead(temporal.client, leadId, 'created');
  await leads.becomes(leadId, 'assigned');
  return leadId;
}

const isListed = ({ client }: TestTemporal, query: string, runs: number) =>
  waitUntil(async () => expect(await countRuns(client, query)).toBe(runs), { what: query });

const temporal = await openTestTemporal();
/** A server that no worker polls: its runs stay open. */
const idle = await openTestTemporal();
const api = await startTestApi({ temporal: temporal.client });
const context = testActivityContext(api.database, api.config);
const workers = await startTestWorkers(context, temporal.target);
const leads = leadActions(api, temporal.client);
const leadctl = leadctlFor([historyCommands], variablesFor(temporal));
const agent = await makeAgent(api.database, { name: 'Sara Haddad', slug: 'sara-haddad' });
const target = { kind: 'agent', agentId: agent.id };
await activateRules(api.database, [{ name: 'Everything', target }]);
await runEverything();
afterAll(async () => {
  await workers.stop();
  await api.stop();
  await temporal.connection.close();
  await idle.connection.close();
});

/** A run of each workflow, in several states. */
async function runEverything(): Promise<void> {
  const { workflow } = temporal.client;
  const endsSomehow = (run: Promise<unknown>) => run.catch(() => undefined);
  await Promise.all([
    workflow.execute('Housekeeping', { workflowId: 'housekeeping-daily', ...housekeepingOptions }),
    endsSomehow(workflow.execute('DncrCheck', dncrCheckOptions(id(1), 1000))),
    endsSomehow(
      workflow.execute('WebhookTest', webhookTestOptions({ endpointId: id(2), testId: id(3) })),
    ),
    ...[4, 5, 6].map((lead) => workflow.execute('LeadLifecycle', leadLifecycleOptions(id(lead)))),
  ]);
  await openRun();
  await leadRun(temporal.client, await openRun()).terminate();
  await isListed(temporal, `ExecutionStatus != 'Running'`, 7);
  await isListed(temporal, `ExecutionStatus = 'Running'`, 1);
}

const filesIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();

const summaryOf = ({ type, state, ...counts }: Record<string, unknown>) =>
  `${type} ${state}: ${JSON.stringify(counts)}`;

describe('leadctl history save DIR', () => {
  test('saves runs of every type and state; they replay, and hold no host and no slug', async () => {
    const folder = path.join(newFolder(), 'runs');
    const { json } = await leadctl('history', 'save', folder, '--json');
    expect(json.runs).toMatchObject([
      { type: 'DncrCheck', state: 'timed-out', saved: 1 },
      { type: 'Housekeeping', state: 'completed', saved: 1 },
      { type: 'LeadLifecycle', state: 'completed', saved: 3 },
      { type: 'LeadLifecycle', state: 'running', saved: 1 },
      { type: 'LeadLifecycle', state: 'terminated', saved: 1 },
      { type: 'WebhookTest', state: 'failed', saved: 1 },
    ]);
    const saved = await savedHistories(folder);
    const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
    const results = Worker.runReplayHistories({ workflowsPath }, saved);
    for await (const { error } of results) expect(error).toBeUndefined();
    expect(saved).toHaveLength(8);
    const ofLeads = saved.filter(({ scenario }) => scenario.startsWith('LeadLifecycle'));
    for (const { json } of ofLeads) expect(json).toContain('"sdkVersion"');
    for (const { scenario, workflowId, json } of saved) {
      expect(scenario).toContain(`.${workflowId.replaceAll('/', '_')}.`);
      for (const word of [os.hostname(), `${process.pid}@`, 'sara-haddad'])
        expect(readable(json)).not.toContain(word);
    }
  });

  test('saves so many of each type and state, of what the query finds', async () => {
    const folder = newFolder();
    const query = `WorkflowType IN ('LeadLifecycle', 'Housekeeping')`;
    const words = ['history', 'save', '--query', query, '--sample', '2', '--since', '1d', folder];
    const { text } = await leadctl(...words);
    expect(text).toMatch(/LeadLifecycle +completed +2 /);
    expect(text).toContain(`5 runs saved in ${folder}.`);
    expect(await filesIn(folder)).toHaveLength(5);
    const none = await leadctl('history', 'save', '--query', `RunId = 'none'`, newFolder());
    expect(none.text).toMatch(/^No run matches the query/);
  });

  test('run again it fetches what is new: runs with more events, and their ends', async () => {
    const folder = newFolder();
    const leadId = await openRun();
    const words = ['history', 'save', '--query', `WorkflowId = 'lead/${leadId}'`, folder, '--json'];
    await isListed(temporal, `WorkflowId = 'lead/${leadId}'`, 1);
    const save = async () => (await leadctl(...words)).json.runs.map(summaryOf);
    const counts = { saved: 0, there: 0, gone: 0 };
    const running = (change: object) =>
      `LeadLifecycle running: ${JSON.stringify({ ...counts, ...change })}`;
    expect(await save()).toEqual([running({ saved: 1 })]);
    const [before = ''] = await filesIn(folder);
    const isThere = async () => expect(await save()).toEqual([running({ there: 1 })]);
    await waitUntil(isThere, { what: 'A run with nothing new' });
    const events = async () => (await savedHistories(folder))[0]?.history.events?.length ?? 0;
    const first = await events();
    await signalLead(temporal.client, leadId, 'recover');
    // Temporal keeps a signal back while a workflow task is under way.
    const isNew = async () => expect(await save()).toEqual([running({ saved: 1 })]);
    await waitUntil(isNew, { what: 'The run with the signal' });
    expect(await events()).toBeGreaterThan(first);
    await leadRun(temporal.client, leadId).terminate();
    await waitUntil(
      async () => expect(await save()).toEqual([expect.stringMatching(/terminated.*"there":1/)]),
      { what: 'The end' },
    );
    expect(await filesIn(folder)).toEqual([before.replace('running', 'terminated')]);
  });

  test('says what Temporal has against a query, and that a folder cannot be written', async () => {
    const save = (...words: string[]) => leadctl('history', 'save', ...words);
    await expect(save()).rejects.toThrow(`missing required argument 'dir'`);
    await expect(save('--query', 'Colour = 1', newFolder())).rejects.toThrow(
      /does not accept the query: .*Colour/,
    );
    const nowhere = path.join(fileURLToPath(import.meta.url), 'runs');
    await expect(save(nowhere)).rejects.toThrow(`${nowhere} cannot be written: not a directory`);
  });

  test('goes on where it was killed', async () => {
    const folder = newFolder();
    const RUNS = 200;
    const start = (number: number) =>
      idle.client.workflow.start('LeadLifecycle', leadLifecycleOptions(id(number)));
    for (let from = 0; from < RUNS; from += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => start(from + index)));
    await isListed(idle, `ExecutionStatus = 'Running'`, RUNS);
    const env = { ...variablesFor(idle), SECRETS_KEY: '11'.repeat(32) };
    await saveUntilKilled(folder, env);
    const before = (await filesIn(folder)).length;
    expect(before).toBeGreaterThan(20);
    expect(before).toBeLessThan(RUNS);
    await writeFile(path.join(folder, `x.json.${id(1)}.part`), 'half a file');
    const again = await leadctlFor([historyCommands], env)('history', 'save', folder, '--json');
    expect(again.json.runs).toMatchObject([{ saved: RUNS - before, there: before }]);
    expect(await readdir(folder)).toHaveLength(RUNS);
  });

  /** In a process of its own, which ends as it reads the hundredth history. */
  async function saveUntilKilled(folder: string, env: Record<string, string>): Promise<void> {
    let histories = 0;
    const proxy = await startGrpcProxy(idle.target.address, {
      refuse({ method }) {
        if (method === 'GetWorkflowExecutionHistory') histories += 1;
        if (histories === 100) child.kill('SIGKILL');
        return null;
      },
    });
    const child = spawn(process.execPath, ['cli/main.ts', 'history', 'save', folder], {
      env: { ...env, TEMPORAL_ADDRESS: proxy.address },
    });
    await once(child, 'exit');
    await proxy.stop();
  }
});
