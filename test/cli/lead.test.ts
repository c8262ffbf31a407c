import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { agentCommands } from '../../cli/agent.ts';
import { historyCommands } from '../../cli/history.ts';
import { leadCommands } from '../../cli/lead.ts';
import { sendClaim } from '../../cli/lead/claim.ts';
import { createOperator, OperatorError } from '../../cli/operator.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { startTestApi, testConfig } from '../support/api.ts';
import { newFolder } from '../support/folder.ts';
import { startGrpcProxy, type Refusal } from '../support/grpc-proxy.ts';
import { runWithoutSpace } from '../support/program.ts';
import { activateRules, makeAgent, makePool, makeSource, makeTeam } from '../support/routing.ts';
import { createTestNamespace, signalLead } from '../support/temporal.ts';
import { startTestWorkers, testActivityContext } from '../support/worker.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { createLeadActivities } from '../../activities/leads/lead-activities.ts';
import { readable } from '../replay/payloads.ts';
import { leadctlFor } from './leadctl.ts';

const api = await startTestApi();
const { address, namespace } = await createTestNamespace();
const variables = {
  DATABASE_URL: api.config.database.url,
  TEMPORAL_ADDRESS: address,
  TEMPORAL_NAMESPACE: namespace,
};
const config = testConfig(api.config.database.url, variables);
const workers = await startTestWorkers(testActivityContext(api.database, config), {
  address,
  namespace,
});
const temporal = await connectTemporal(config.temporal);
const leadctl = leadctlFor([leadCommands, agentCommands, historyCommands], variables);
const sara = await makeAgent(api.database, { name: 'Sara H', languages: ['ar'] });
const omar = await makeAgent(api.database, { name: 'Omar K', paused_at: new Date() });
await useRules();

afterAll(async () => {
  await workers.stop();
  await temporal.close();
  await api.stop();
});

async function useRules(): Promise<void> {
  const website = await makeSource(api.database, 'Website');
  const portal = await makeSource(api.database, 'Portal', true);
  const teamId = await makeTeam(api.database, [sara, omar], [2, 1]);
  const poolId = await makePool(api.database, 'Night Pool');
  await activateRules(api.database, [
    {
      name: 'Big budgets',
      when: [[{ field: 'budget', op: 'between', values: [5_000_000, null] }]],
      target: { kind: 'agent', agentId: omar.id },
    },
    {
      name: 'Website to the team',
      when: [[{ field: 'source', op: 'in', values: [website] }]],
      target: { kind: 'team', teamId },
    },
    {
      name: 'Portal to the pool',
      when: [[{ field: 'source', op: 'in', values: [portal] }]],
      target: { kind: 'pool', poolId },
    },
  ]);
}

async function makeLead(source: string, email = 'mona.private@person.example'): Promise<string> {
  const person = { leadEmails: [email], leadFirstName: 'Mona' };
  return (await api.create({ ...person, source, budgetMax: '2000000' })).id;
}

async function routed(leadId: string): Promise<string> {
  await createLeadActivities(workers.context).routeLead({ leadId });
  return leadId;
}

describe('leadctl lead show', () => {
  test('shows the state of a lead and nothing of the customer', async () => {
    const lead = await routed(await makeLead('Website', 'one@person.example'));
    const { text } = await leadctl('lead', 'show', lead);
    expect(text).toContain('Sara H');
    expect(text).toContain('Website to the team');
    expect(text).toContain('Created by Shop.');
    expect(text).not.toMatch(/Mona|one@person\.example/);
  });

  test('gives programs the same as JSON, without the customer', async () => {
    const lead = await routed(await makeLead('Website', 'two@person.example'));
    const { json, text } = await leadctl('lead', 'show', lead, '--json');
    expect(json).toMatchObject({
      id: lead,
      status: 'assigned',
      holder: { name: 'Sara H' },
      round: 1,
      mergeWindow: { isPortal: false, closedAt: null },
      routing: { source: 'Website', budgetMax: '2000000' },
      assignments: [{ round: 1, move: 0, agent: 'Sara H', decidedBy: 'rules' }],
    });
    expect(json.events.map((event: { type: string }) => event.type)).toEqual([
      'lead.created',
      'lead.assigned',
    ]);
    expect(text).not.toMatch(/Mona|two@person\.example/);
  });

  test('shows the customer with --personal', async () => {
    const lead = await makeLead('Website', 'three@person.example');
    const { text } = await leadctl('lead', 'show', lead, '--personal');
    expect(text).toContain('Mona');
    expect(text).toContain('three@person.example');
  });

  test('lists merged enquiries, with --personal their names and messages', async () => {
    const email = 'merged@person.example';
    const lead = await makeLead('Website', email);
    const again = { leadEmails: [email], source: 'portal', leadFirstName: 'Nora', priority: 'x' };
    await api.create({ ...again, source: 'website', initialInquiry: 'URGENT: call me' });
    await api.create({ leadEmails: [email] });
    const enquiry = {
      at: expect.any(String),
      ...{ client: 'Shop', source: 'Website', listing: null },
      fields: ['initialInquiry', 'leadEmails', 'leadFirstName', 'priority', 'source'],
    };
    const { json, text } = await leadctl('lead', 'show', lead, '--json');
    expect(json.mergedEnquiries).toEqual([
      enquiry,
      { ...enquiry, source: null, fields: ['leadEmails'] },
    ]);
    const { text: shown } = await leadctl('lead', 'show', lead);
    expect(shown).toContain('Merged enquiries');
    for (const each of [text, shown]) expect(each).not.toMatch(/Nora|URGENT|merged@/);
    const personal = await leadctl('lead', 'show', lead, '--personal', '--json');
    expect(personal.json.mergedEnquiries).toEqual([
      { ...enquiry, name: 'Nora', message: 'URGENT: call me', comments: [] },
      expect.objectContaining({ name: null, message: null }),
    ]);
    expect((await leadctl('lead', 'show', lead, '--personal')).text).toContain('URGENT: call me');
  });

  test('shows the words of a merged enquiry whatever its characters', async () => {
    const leadEmails = ['broken@person.example'];
    const lead = await makeLead('Website', ...leadEmails);
    const text = 'a\u0000b\ud800 \\u0000 \\';
    const comments = ['not this', { text: `Call ${text}` }, { text: 'Or write' }];
    await api.create({ leadEmails, leadFirstName: text, initialInquiry: text, comments });
    await api.create({
      leadEmails,
      ['initialInquiry\u0000']: 'Hi',
      comments: '',
      leadLastName: '\u0000',
    });
    const { json } = await leadctl('lead', 'show', lead, '--personal', '--json');
    const clean = 'ab\ufffd \\u0000 \\';
    expect(json.mergedEnquiries).toMatchObject([
      { name: clean, message: clean, comments: [`Call ${clean}`, 'Or write'] },
      { name: null, message: 'Hi', comments: [] },
    ]);
    const shown = await leadctl('lead', 'show', lead, '--personal');
    expect(shown.text).toContain(`comments Call ${clean}, Or write`);
  });

  test('reports an unknown lead, and a text that names none', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    await expect(leadctl('lead', 'show', nobody)).rejects.toThrow(`Lead ${nobody} not found.`);
    await expect(leadctl('lead', 'show', 'seven')).rejects.toThrow('Lead not found');
  });
});

describe('leadctl lead explain', () => {
  test('names records and agents, what was wanted, what was found and the arithmetic', async () => {
    const lead = await routed(await makeLead('Website', 'four@person.example'));
    const { text } = await leadctl('lead', 'explain', lead);
    expect(text).toContain('budget: wanted at least 5,000,000, found 2,000,000');
    expect(text).toContain('Website to the team');
    expect(text).toMatch(/Sara H.*chosen/);
    expect(text).toMatch(/Omar K.*left out: paused/);
    expect(text).toContain('not reached');
    expect(text).toContain('The highest claim takes the lead and pays 1');
  });

  test('names the source that a rule requires', async () => {
    const lead = await routed(await makeLead('Portal', 'five@person.example'));
    const { text } = await leadctl('lead', 'explain', lead);
    expect(text).toContain('source: wanted Website, found Portal');
    expect(text).toContain('Night Pool');
  });

  test('explains one round with --round', async () => {
    const lead = await routed(await makeLead('Website', 'six@person.example'));
    await expect(leadctl('lead', 'explain', lead, '--round', '2')).rejects.toThrow('in round 2');
    const { json } = await leadctl('lead', 'explain', lead, '--round', '1', '--json');
    expect(json.decisions).toHaveLength(1);
  });
});

describe('leadctl lead events', () => {
  test('lists the events with their sequence, and that no endpoint receives them', async () => {
    const lead = await routed(await makeLead('Website', 'seven@person.example'));
    const { text } = await leadctl('lead', 'events', lead);
    expect(text).toMatch(/1.*lead\.created.*nobody listens/);
    expect(text).toMatch(/2.*lead\.assigned/);
  });
});

describe('leadctl lead claim', () => {
  test('gives a pool lead to an agent when no workflow is open', async () => {
    const lead = await routed(await makeLead('Portal', 'eight@person.example'));
    const { text } = await leadctl('lead', 'claim', lead, '--agent', sara.email.toUpperCase());
    expect(text).toContain(`Sara H holds lead ${lead} now.`);
    const { json } = await leadctl('lead', 'show', lead, '--json');
    expect(json).toMatchObject({ status: 'assigned', holder: { id: sara.id } });
  });

  test('warns of an agent who is paused', async () => {
    const lead = await routed(await makeLead('Portal', 'thirteen@person.example'));
    await leadctl('agent', 'pause', sara.email);
    const { text } = await leadctl('lead', 'claim', lead, '--agent', sara.email);
    await leadctl('agent', 'resume', sara.email);
    expect(text).toContain('Sara H is paused: no rule chooses them');
  });

  test('warns of an agent who holds as many open leads as their cap allows', async () => {
    const full = await makeAgent(api.database, { name: 'Full F', open_cap: 1 });
    const claim = async (email: string) => {
      const lead = await routed(await makeLead('Portal', email));
      return (await leadctl('lead', 'claim', lead, '--agent', full.email)).text;
    };
    expect(await claim('fourteen@person.example')).not.toContain('cap');
    expect(await claim('fifteen@person.example')).toContain(
      'Full F holds 2 open leads with this one, over the cap of 1: no rule gives them more.\n',
    );
  });

  test('of five concurrent claims one wins and the others report the holder', async () => {
    const lead = await routed(await makeLead('Portal', 'nine@person.example'));
    const claims = await Promise.allSettled(
      [sara, omar, sara, omar, sara].map(({ email }) =>
        leadctl('lead', 'claim', lead, '--agent', email),
      ),
    );
    const refused = claims.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toHaveLength(4);
    const { json } = await leadctl('lead', 'show', lead, '--json');
    const refusal = `Lead ${lead} cannot be claimed: ${json.holder.name} holds it already.`;
    for (const reason of refused) expect(reason.message).toBe(refusal);
  });

  test('of a hundred concurrent claims one wins and ninety-nine are refused', async () => {
    const lead = await routed(await makeLead('Portal', 'hundred@person.example'));
    const operator = await createOperator(
      { SECRETS_KEY: '11'.repeat(32), ...variables },
      { isJson: true, write: async () => undefined },
    );
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, number) =>
        sendClaim(
          operator,
          lead,
          { agentId: (number % 2 === 0 ? sara : omar).id, claimId: randomUUID() },
          240_000,
        ),
      ),
    ).finally(() => operator.close());
    expect(outcomes.filter(({ claimed }) => claimed)).toHaveLength(1);
    const refused = { claimed: false, reason: 'held_by_another', status: 'assigned' };
    expect(outcomes.filter(({ claimed }) => !claimed)).toEqual(Array(99).fill(refused));
  });

  test('is refused where the lead is not in a pool, or the agent is unknown', async () => {
    const lead = await makeLead('Nowhere', 'ten@person.example');
    await routed(lead);
    await expect(leadctl('lead', 'claim', lead, '--agent', sara.email)).rejects.toThrow(
      'it is unassigned, not in a pool',
    );
    await expect(leadctl('lead', 'claim', lead, '--agent', 'who@agency.example')).rejects.toThrow(
      'Agent not found by this e-mail, slug or name',
    );
  });

  test('reports that Temporal cannot be reached, and changes nothing', async () => {
    const lead = await routed(await makeLead('Portal', 'eleven@person.example'));
    const unreachable = leadctlFor([leadCommands], {
      ...variables,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
    });
    await expect(unreachable('lead', 'claim', lead, '--agent', sara.email)).rejects.toThrow(
      'Temporal cannot be reached at 127.0.0.1:1',
    );
    const { json } = await leadctl('lead', 'show', lead, '--json');
    expect(json.status).toBe('pool');
  });

  test.each(['DEADLINE_EXCEEDED', 'CANCELLED'] as const)(
    'is sent again where an overloaded server gave it up: %s',
    async (refusal) => {
      const lead = await routed(await makeLead('Portal', `${refusal.slice(0, 6)}@person.example`));
      const refusals: Refusal[] = [refusal, refusal];
      const proxy = await startGrpcProxy(variables.TEMPORAL_ADDRESS ?? '', {
        refuse: ({ method }) =>
          method === 'ExecuteMultiOperation' ? (refusals.pop() ?? null) : null,
      });
      const throughProxy = { ...variables, TEMPORAL_ADDRESS: proxy.address };
      const claiming = leadctlFor([leadCommands], throughProxy);
      const { text } = await claiming('lead', 'claim', lead, '--agent', sara.email);
      expect(text).toContain(`Sara H holds lead ${lead} now.`);
      expect(refusals).toEqual([]);
      await proxy.stop();
    },
  );

  test('that no worker takes up says what may become of it; the next worker carries it out', async () => {
    const lead = await routed(await makeLead('Portal', 'fourteen@person.example'));
    const target = await createTestNamespace();
    const operator = await createOperator(
      { SECRETS_KEY: '11'.repeat(32), ...variables, TEMPORAL_NAMESPACE: target.namespace },
      { isJson: true, write: async () => undefined },
    );
    const claim = { agentId: sara.id, claimId: randomUUID() };
    const sent = sendClaim(operator, lead, claim, 10_000).finally(() => operator.close());
    await expect(sent).rejects.toThrow(
      /within 10 s\. Is a worker running\? The request may still be carried out .* taken back by leadctl lead undo/,
    );
    const later = await startTestWorkers(workers.context, target);
    await becomes(lead, 'assigned').finally(() => later.stop());
  });
});

const becomes = (lead: string, status: string) =>
  waitUntil(
    async () => {
      const { json } = await leadctl('lead', 'show', lead, '--json');
      if (json.status !== status) throw new Error(json.status);
    },
    { what: `A lead ${status}` },
  );

describe('leadctl history save', () => {
  test('writes the newest run as the replay tests read it', async () => {
    const lead = await makeLead('Portal', 'twelve@person.example');
    await signalLead(temporal.client, lead, 'created');
    await becomes(lead, 'pool');
    const file = path.join(newFolder(), 'pool.json');
    const { json } = await leadctl('history', 'save', lead.slice(0, 8), file, '--json');
    expect(json.leadId).toBe(lead);
    const { events } = JSON.parse(await readFile(file, 'utf8'));
    expect(events).toHaveLength(json.events);
    expect(events[0].workflowExecutionStartedEventAttributes.workflowType.name).toBe(
      'LeadLifecycle',
    );
  });

  test('replaces agents’ slugs by their ids, and the file replays', async () => {
    const slug = 'mariam-al-suwaidi';
    const agent = await makeAgent(api.database, { slug });
    const lead = await makeLead('Portal', 'sixteen@person.example');
    await signalLead(temporal.client, lead, 'created');
    await becomes(lead, 'pool');
    await leadctl('lead', 'claim', lead, '--agent', agent.email, '--json');
    const file = path.join(newFolder(), 'claimed.json');
    await waitUntil(
      async () => {
        await leadctl('history', 'save', lead, file, '--json');
        expect(readable(await readFile(file, 'utf8'))).toContain(`by agent ${agent.id}`);
      },
      { what: 'The claim in the history' },
    );
    const json = await readFile(file, 'utf8');
    expect(readable(json)).not.toContain(slug);
    expect(readable(json)).toContain(`\\"agentSlug\\":\\"${agent.id}\\"`);
    const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
    await Worker.runReplayHistory({ workflowsPath }, historyFromJSON(JSON.parse(json)));
  });

  test('leaves the existing file unchanged when the write fails', async () => {
    const lead = await makeLead('Portal', 'fifteen@person.example');
    await signalLead(temporal.client, lead, 'created');
    const file = path.join(newFolder(), 'lead.json');
    await writeFile(file, 'an earlier history');
    const words = ['cli/main.ts', 'history', 'save', lead, file];
    const env = { SECRETS_KEY: '11'.repeat(32), ...variables };
    const { code, stderr } = await runWithoutSpace(process.execPath, words, { env });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${file} cannot be written: file too large.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe('an earlier history');
    expect(await readdir(path.dirname(file))).toEqual(['lead.json']);
  });

  test('reports a lead that has no workflow', async () => {
    const lead = await makeLead('Portal', 'thirteen@person.example');
    await expect(leadctl('history', 'save', lead, '/tmp/none.json')).rejects.toThrow(
      `There is no workflow of lead ${lead}`,
    );
  });

  test('reports an unknown run, and a file that cannot be written', async () => {
    const lead = await makeLead('Portal', 'fourteen@person.example');
    await signalLead(temporal.client, lead, 'created');
    await expect(
      leadctl('history', 'save', lead, '/tmp/none.json', '--run', 'nonsense'),
    ).rejects.toThrow(`There is no run nonsense of the workflow of lead ${lead}`);
    const nowhere = path.join(os.tmpdir(), randomUUID(), 'lead.json');
    const unwritten = leadctl('history', 'save', lead, nowhere);
    await expect(unwritten).rejects.toThrow(OperatorError);
    await expect(unwritten).rejects.toThrow(`${nowhere} cannot be written: no such file`);
  });
});
