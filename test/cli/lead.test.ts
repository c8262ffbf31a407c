import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { agentCommands } from '../../cli/agent.ts';
import { historyCommands } from '../../cli/history.ts';
import { leadCommands } from '../../cli/lead.ts';
import { sendClaim } from '../../cli/lead/claim.ts';
import { createOperator } from '../../cli/operator.ts';
import { newEmail, startTestApi } from '../support/api.ts';
import { newFolder } from '../support/folder.ts';
import { startGrpcProxy, type Refusal } from '../support/grpc-proxy.ts';
import { leadActions } from '../support/lead-actions.ts';
import { activateRules, makeAgent, makePool, makeSource, makeTeam } from '../support/routing.ts';
import { createTestNamespace, openTestTemporal, signalLead } from '../support/temporal.ts';
import { startTestWorkers, testActivityContext } from '../support/worker.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { createLeadActivities } from '../../activities/leads/lead-activities.ts';
import { readable } from '../replay/payloads.ts';
import { savedHistories } from '../replay/saved-histories.ts';
import { leadctlFor } from './leadctl.ts';

const api = await startTestApi();
const temporal = await openTestTemporal();
const { target } = temporal;
const context = testActivityContext(api.database, api.config);
const workers = await startTestWorkers(context, target);
const actions = leadActions(api, temporal.client);
const variables = {
  DATABASE_URL: api.config.database.url,
  TEMPORAL_ADDRESS: target.address,
  TEMPORAL_NAMESPACE: target.namespace,
};
const leadctl = leadctlFor([leadCommands, agentCommands, historyCommands], variables);
const sara = await makeAgent(api.database, { name: 'Sara H', languages: ['ar'] });
const omar = await makeAgent(api.database, { name: 'Omar K', paused_at: new Date() });
await useRules();

afterAll(async () => {
  await workers.stop();
  await temporal.connection.close();
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

async function makeLead(source: string, email = newEmail()): Promise<string> {
  const person = { leadEmails: [email], leadFirstName: 'Mona' };
  return (await api.create({ ...person, source, budgetMax: '2000000' })).id;
}

async function routed(source: string, email?: string): Promise<string> {
  const leadId = await makeLead(source, email);
  await createLeadActivities(context).routeLead({ leadId });
  return leadId;
}

describe('leadctl lead show', () => {
  test('shows the state of a lead, also as JSON, and of the customer nothing but with --personal', async () => {
    const lead = await routed('Website', 'one@person.example');
    const { text } = await leadctl('lead', 'show', lead);
    for (const part of ['Sara H', 'Website to the team', 'Created by Shop.'])
      expect(text).toContain(part);
    const { json, text: asJson } = await leadctl('lead', 'show', lead, '--json');
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
    for (const each of [text, asJson]) expect(each).not.toMatch(/Mona|one@person\.example/);
    const personal = (await leadctl('lead', 'show', lead, '--personal')).text;
    for (const part of ['Mona', 'one@person.example']) expect(personal).toContain(part);
  });

  test('lists merged enquiries without names and messages', async () => {
    const email = 'merged@person.example';
    const lead = await makeLead('Website', email);
    const again = { leadEmails: [email], source: 'website', leadFirstName: 'Nora', priority: 'x' };
    await api.create({ ...again, initialInquiry: 'URGENT: call me' });
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
  });

  test('shows with --personal the words of a merged enquiry, whatever its characters', async () => {
    const leadEmails = ['broken@person.example'];
    const lead = await makeLead('Website', ...leadEmails);
    const text = 'a\u0000b\ud800 \\u0000 \\';
    const comments = ['not this', { text: `Call ${text}` }, { text: 'Or write' }];
    await api.create({ leadEmails, leadFirstName: text, initialInquiry: text, comments });
    const blank = { comments: '', leadLastName: '\u0000' };
    await api.create({ leadEmails, ['initialInquiry\u0000']: 'Hi', ...blank });
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
    const lead = await routed('Website');
    const { text } = await leadctl('lead', 'explain', lead);
    expect(text).toContain('budget: wanted at least 5,000,000, found 2,000,000');
    expect(text).toContain('Website to the team');
    expect(text).toMatch(/Sara H.*chosen/);
    expect(text).toMatch(/Omar K.*left out: paused/);
    expect(text).toContain('not reached');
    expect(text).toContain('The highest claim takes the lead and pays 1');
  });

  test('names the source that a rule requires, of one round with --round', async () => {
    const lead = await routed('Portal');
    const { text } = await leadctl('lead', 'explain', lead, '--round', '1');
    expect(text).toContain('source: wanted Website, found Portal');
    expect(text).toContain('Night Pool');
    await expect(leadctl('lead', 'explain', lead, '--round', '2')).rejects.toThrow('in round 2');
  });
});

describe('leadctl lead events', () => {
  test('lists the events with their sequence, and that no endpoint receives them', async () => {
    const lead = await routed('Website');
    const { text } = await leadctl('lead', 'events', lead);
    expect(text).toMatch(/1.*lead\.created.*nobody listens/);
    expect(text).toMatch(/2.*lead\.assigned/);
  });
});

describe('leadctl lead claim', () => {
  test('gives a pool lead to an agent when no workflow is open', async () => {
    const lead = await routed('Portal');
    const { text } = await leadctl('lead', 'claim', lead, '--agent', sara.email.toUpperCase());
    expect(text).toContain(`Sara H holds lead ${lead} now.`);
    const { json } = await leadctl('lead', 'show', lead, '--json');
    expect(json).toMatchObject({ status: 'assigned', holder: { id: sara.id } });
  });

  test('warns of an agent who is paused', async () => {
    const lead = await routed('Portal');
    await leadctl('agent', 'pause', sara.email);
    const { text } = await leadctl('lead', 'claim', lead, '--agent', sara.email);
    await leadctl('agent', 'resume', sara.email);
    expect(text).toContain('Sara H is paused: no rule chooses them');
  });

  test('of a hundred concurrent claims one wins and ninety-nine are refused', async () => {
    const lead = await routed('Portal');
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, number) =>
        actions.claim(lead, (number % 2 === 0 ? sara : omar).id),
      ),
    );
    expect(outcomes.filter(({ claimed }) => claimed)).toHaveLength(1);
    const refused = { claimed: false, reason: 'held_by_another', status: 'assigned' };
    expect(outcomes.filter(({ claimed }) => !claimed)).toEqual(Array(99).fill(refused));
  });

  test.each([
    ['Nowhere', 'it is unassigned, not in a pool'],
    ['Website', 'Sara H holds it already.'],
  ])('is refused where the lead is not in a pool: from %s', async (source, message) => {
    const lead = await routed(source);
    await expect(leadctl('lead', 'claim', lead, '--agent', omar.email)).rejects.toThrow(message);
  });

  test('reports that Temporal cannot be reached, and changes nothing', async () => {
    const lead = await routed('Portal');
    const unreachable = leadctlFor([leadCommands], {
      ...variables,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
    });
    await expect(unreachable('lead', 'claim', lead, '--agent', sara.email)).rejects.toThrow(
      'Temporal cannot be reached at 127.0.0.1:1',
    );
    expect((await leadctl('lead', 'show', lead, '--json')).json.status).toBe('pool');
  });

  test.each(['DEADLINE_EXCEEDED', 'CANCELLED'] as const)(
    'is sent again where an overloaded server gave it up: %s',
    async (refusal) => {
      const lead = await routed('Portal');
      const refusals: Refusal[] = [refusal, refusal];
      const proxy = await startGrpcProxy(target.address, {
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
    const lead = await routed('Portal');
    const unserved = await createTestNamespace();
    const operator = await createOperator(
      { SECRETS_KEY: '11'.repeat(32), ...variables, TEMPORAL_NAMESPACE: unserved.namespace },
      { isJson: true, write: async () => undefined },
    );
    const claim = { agentId: sara.id, claimId: randomUUID() };
    const sent = sendClaim(operator, lead, claim, 10_000).finally(() => operator.close());
    await expect(sent).rejects.toThrow(
      /within 10 s\. Is a worker running\? The request may still be carried out .* taken back by leadctl lead undo/,
    );
    const later = await startTestWorkers(context, unserved);
    await actions.becomes(lead, 'assigned').finally(() => later.stop());
  });
});

describe('leadctl history save', () => {
  test('replaces agents’ slugs by their ids, and the file replays', async () => {
    const slug = 'mariam-al-suwaidi';
    const agent = await makeAgent(api.database, { slug });
    const lead = await makeLead('Portal');
    await signalLead(temporal.client, lead, 'created');
    await actions.becomes(lead, 'pool');
    await leadctl('lead', 'claim', lead, '--agent', agent.email, '--json');
    const folder = newFolder();
    const query = `WorkflowId = 'lead/${lead}'`;
    const claimed = async () => {
      await leadctl('history', 'save', '--query', query, folder, '--json');
      const saved = (await savedHistories(folder)).map(({ json }) => json);
      // The claim starts another run.
      const found = saved.find((json) => readable(json).includes(`by agent ${agent.id}`));
      return found ?? Promise.reject(new Error('it is not there'));
    };
    const json = await waitUntil(claimed, { what: 'The claim in the history' });
    expect(readable(json)).not.toContain(slug);
    expect(readable(json)).toContain(`\\"agentSlug\\":\\"${agent.id}\\"`);
    const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
    await Worker.runReplayHistory({ workflowsPath }, historyFromJSON(JSON.parse(json)));
  });
});
