import { PassThrough } from 'node:stream';
import { agentCommands } from '../../cli/agent.ts';
import { clientCommands, tokenCommands } from '../../cli/client.ts';
import { ask } from '../../cli/confirm.ts';
import { personCommands } from '../../cli/person.ts';
import { webhookCommands } from '../../cli/webhook.ts';
import { makeAgent } from '../support/routing.ts';
import { readWholeDatabase } from '../support/whole-store.ts';
import { startLeadctl } from './leadctl.ts';
import { leadActivities } from '../support/worker.ts';

const EMAIL = 'mona@person.example';

/** A client with a token, an endpoint with two deliveries that wait, an agent who holds a lead and one who holds none. */
const groups = [agentCommands, clientCommands, personCommands, tokenCommands, webhookCommands];
const { api, leadctl } = await startLeadctl(...groups);
const { clientId } = api.client;
const url = ['--url', 'https://shop.example/hooks'];
const endpointId = (await leadctl('webhook', 'add', '--client', clientId, ...url, '--json')).json
  .endpointId;
const sara = await makeAgent(api.database, { name: 'Sara H' });
const omar = await makeAgent(api.database, { name: 'Omar K' });
const lead = await api.create({ leadEmails: [EMAIL], assignedBy: sara.email });
await leadActivities(api).routeLead({ leadId: lead.id });

const commands: [string, () => string[], object, RegExp][] = [
  ['token revoke', () => [api.client.clientId], { liveTokens: 1 }, /1 live token .* will fail/],
  ['client rotate', () => [api.client.clientId], { liveTokens: 1 }, /and its 1 live token will/],
  [
    'client deactivate',
    () => [api.client.clientId],
    { liveTokens: 1, waitingDeliveries: 2 },
    /1 live token will fail at once; its webhooks wait, 2 by now/,
  ],
  [
    'webhook disable',
    () => [endpointId],
    { waiting: 2 },
    /2 deliveries to .* still wait will fail/,
  ],
  ['agent release', () => [sara.email], { leads: 1 }, /takes 1 lead from Sara H/],
  ['agent release', () => [omar.email], { leads: 0 }, /takes 0 leads from Omar K/],
  ['agent deactivate', () => [sara.email], { leads: 1 }, /Sara H gets no lead any more; 1 lead/],
  ['person erase', () => [EMAIL], { rows: expect.objectContaining({ leads: 1 }) }, /1 lead/],
];

async function everyRow(): Promise<Record<string, string>> {
  const tables = await readWholeDatabase(api.adminUrl());
  delete tables.pg_stats;
  return tables;
}

describe('what cannot be undone', () => {
  test.each(commands)('%s needs --yes without a terminal and with --json', async (name, words) => {
    const before = await everyRow();
    const command = [...name.split(' '), ...words()];
    await expect(leadctl(...command)).rejects.toThrow('say --yes to do it without a question');
    await expect(leadctl(...command, '--json')).rejects.toThrow('say --yes');
    expect(await everyRow()).toEqual(before);
  });

  test.each(commands)('%s --dry-run says how much it is', async (name, words, size, text) => {
    const before = await everyRow();
    const command = [...name.split(' '), ...words(), '--dry-run'];
    expect((await leadctl(...command, '--json')).json).toMatchObject({ dryRun: true, ...size });
    expect((await leadctl(...command, '--yes')).text).toMatch(text);
    expect(await everyRow()).toEqual(before);
  });
});

describe('a question in a terminal', () => {
  const answer = (keys: string) => {
    const streams = { input: new PassThrough(), output: new PassThrough() };
    const answered = ask('Go on?', streams);
    streams.input.write(keys);
    return answered;
  };

  test('takes a line, and Ctrl-D as an empty one', async () => {
    expect(await answer('yes\r')).toBe('yes');
    expect(await answer('\u0004')).toBe('');
  });

  test('ends quietly at Ctrl-C, with the exit code of an interrupted program', async () => {
    await expect(answer('y\u0003')).rejects.toMatchObject({
      name: 'OperatorError',
      message: 'Cancelled. Nothing was changed.',
      exitCode: 130,
    });
  });
});
