import { randomUUID } from 'node:crypto';
import { agentCommands } from '../../cli/agent.ts';
import { importCommand } from '../../cli/import.ts';
import { leadCommands } from '../../cli/lead.ts';
import { rulesCommands } from '../../cli/rules.ts';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { readable } from '../replay/payloads.ts';
import {
  activateRules,
  makeAgent,
  makePool,
  makeTeam,
  type TestAgent,
} from '../support/routing.ts';
import { datasetFile, leadctlFor } from './leadctl.ts';
import { startCommandService } from './service.ts';

let sara: TestAgent;
let omar: TestAgent;

const service = await startCommandService();
const { api, actions } = service;
const groups = [leadCommands, agentCommands, rulesCommands, importCommand];
const leadctl = leadctlFor(groups, service.variables);
await makePool(api.database, 'Night Pool');
afterAll(() => service.stop());

/** Each test has agents of its own, of whom the rules know one team. */
beforeEach(async () => {
  sara = await makeAgent(api.database, { name: 'Sara H' });
  omar = await makeAgent(api.database, { name: 'Omar K' });
  const teamId = await makeTeam(api.database, [sara, omar]);
  await activateRules(api.database, [{ name: 'Sales', target: { kind: 'team', teamId } }]);
});

async function createFor(holder: TestAgent, body: object = {}): Promise<string> {
  const leadId = await actions.create({ assignedBy: holder.email, ...body });
  await actions.becomes(leadId, 'assigned');
  return leadId;
}

const show = async (leadId: string) => (await leadctl('lead', 'show', leadId, '--json')).json;

describe('lead assign', () => {
  test('gives the lead to the agent, keeps author and reason, and says so everywhere', async () => {
    const leadId = await createFor(sara);
    const words = ['lead', 'assign', leadId, '--agent', omar.email, '--reason', 'knows her'];
    expect((await leadctl(...words)).text).toBe(`Omar K holds lead ${leadId} now.\n`);
    expect(await show(leadId)).toMatchObject({
      status: 'assigned',
      holder: { name: 'Omar K' },
      round: 2,
      moves: 0,
      assignments: [
        { decidedBy: 'assigned_by', handOver: null },
        {
          decidedBy: 'operator',
          agent: 'Omar K',
          previousAgent: 'Sara H',
          handOver: { author: 'noor', reason: 'knows her' },
        },
      ],
      events: [{ type: 'lead.created' }, { type: 'lead.assigned' }, { type: 'lead.assigned' }],
    });
    expect((await leadctl('lead', 'show', leadId)).text).toContain('operator noor: knows her');
    const { text } = await leadctl('lead', 'explain', leadId, '--round', '2');
    expect(text).toContain('Round 2: Omar K, after Sara H');
    expect(text).toContain('By operator noor: knows her\nAssigned by an operator to Omar K.');
    const history = await leadRun(service.temporal.client, leadId).fetchHistory();
    expect(readable(historyToJSON(history))).not.toMatch(/noor|knows her|Omar K/);
  });

  test('says that the agent holds it already, and changes nothing', async () => {
    const leadId = await createFor(sara);
    const words = ['lead', 'assign', leadId, '--agent', sara.email];
    expect((await leadctl(...words)).text).toBe(
      `Sara H holds lead ${leadId} already: nothing was changed.\n`,
    );
    const { json } = await leadctl(...words, '--json');
    expect(json).toMatchObject({ moved: false, reason: 'there_already' });
    expect((await show(leadId)).assignments).toHaveLength(1);
  });

  test('run twice with one request id it is one', async () => {
    const leadId = await createFor(sara);
    const requestId = randomUUID();
    const words = ['lead', 'assign', leadId, '--agent', omar.email, '--request-id', requestId];
    const first = await leadctl(...words, '--json');
    expect(first.json).toMatchObject({ leadId, requestId, moved: true, to: { agentId: omar.id } });
    expect((await leadctl(...words, '--json')).json).toEqual(first.json);
    await expect(leadctl('lead', 'reroute', leadId, '--request-id', requestId)).rejects.toThrow(
      `Request ${requestId} was another one`,
    );
    await expect(leadctl('lead', 'reroute', leadId, '--request-id', 'x')).rejects.toThrow(
      'not a request id',
    );
  });

  test('moves one of Personal distribution only with --personal', async () => {
    const leadId = await createFor(sara, { distributionType: 'personal' });
    const words = ['lead', 'assign', leadId, '--agent', omar.email];
    await expect(leadctl(...words)).rejects.toThrow('Only leadctl lead assign --personal moves it');
    await leadctl(...words, '--personal');
    expect(await show(leadId)).toMatchObject({ holder: { name: 'Omar K' }, isPersonal: true });
  });

  test('says that an earlier agent responded', async () => {
    const leadId = await createFor(sara);
    await actions.respond(leadId);
    const { text } = await leadctl('lead', 'assign', leadId, '--agent', omar.email);
    expect(text).toContain('An earlier agent responded: no response clock runs');
    expect((await show(leadId)).followUpDueAt).toBeNull();
  });

  test('warns of an agent who has reached the daily cap', async () => {
    const full = await makeAgent(api.database, { name: 'Full F', daily_cap: 1 });
    const assign = async () =>
      (await leadctl('lead', 'assign', await createFor(sara), '--agent', full.email)).text;
    expect(await assign()).not.toContain('cap');
    expect(await assign()).toContain(
      'Full F has 2 leads today with this one, over the daily cap of 1: no rule gives them more today.',
    );
  });
});

describe('lead respond and lead note', () => {
  test('stop the clock as an integrator’s call does, at the time that the operator says', async () => {
    const leadId = await createFor(sara);
    const respond = (...words: string[]) => leadctl('lead', 'respond', leadId, ...words);
    await expect(respond('--at', '2026-01-01T08:00Z')).rejects.toThrow('after the enquiry');
    await expect(respond('--at', '2099-01-01T08:00Z')).rejects.toThrow('not in the future');
    expect((await respond()).text).toMatch(/^The response of Sara H is recorded, \d+s after the/);
    expect(await show(leadId)).toMatchObject({
      followUpDueAt: null,
      responseSeconds: expect.any(Number),
      responseInSeconds: expect.any(Number),
    });
    expect((await leadctl('lead', 'show', leadId)).text).toContain(
      'An operator recorded a response',
    );
  });

  test('say which recorded response they replace, whoever recorded it', async () => {
    const leadId = await createFor(sara);
    const respond = (...words: string[]) => leadctl('lead', 'respond', leadId, ...words);
    await actions.respond(leadId);
    const shown = (await leadctl('lead', 'show', leadId)).text;
    expect(shown).toMatch(/^response +1m 0s from the enquiry to the response, as reported$/m);
    expect(shown).toMatch(/ recorded a response after 1m 0s\.$/m);
    const { text } = await respond();
    expect(text).toMatch(/^The response of Sara H is recorded, \d+s after/);
    expect(text).toMatch(
      /^This takes the place of a response 1m 0s after the enquiry, 2.* Asia\/Dubai\.$/m,
    );
    expect((await show(leadId)).responseSeconds).toBeLessThan(60);
    await leadctl('lead', 'assign', leadId, '--agent', omar.email);
    expect((await respond('--json')).json.replaced).toContain('a response of an earlier agent');
  });

  test('are for a lead of months ago too, which an agent got from a pool', async () => {
    const leadId = await createFor(sara);
    await api.database.query(
      `update leads set created_at = created_at - interval '40 days' where id = $1`,
      [leadId],
    );
    const { text } = await leadctl('lead', 'respond', leadId);
    expect(text).toMatch(/^The response of Sara H is recorded, 40d 0h after the enquiry\./);
    expect((await show(leadId)).followUpDueAt).toBeNull();
  });

  test('ask before they record a response of a lead that nobody has held', async () => {
    await activateRules(api.database, []);
    const leadId = await actions.create();
    await actions.becomes(leadId, 'unassigned');
    const respond = (...words: string[]) => leadctl('lead', 'respond', leadId, ...words);
    await expect(respond()).rejects.toThrow(`Nobody has held lead ${leadId}`);
    expect((await show(leadId)).respondedAt).toBeNull();
    expect((await respond('--yes')).text).toMatch(/^A response is recorded/);
    const held = await createFor(sara);
    await leadctl('lead', 'pool', held, '--pool', 'Night Pool');
    expect((await leadctl('lead', 'respond', held)).text).toMatch(/^A response is recorded/);
  });

  test('keep what an operator writes, shown with the lead', async () => {
    const leadId = await createFor(sara);
    await expect(leadctl('lead', 'note', leadId, ' ')).rejects.toThrow('The note is empty.');
    await expect(leadctl('lead', 'note', leadId, 'x'.repeat(10_001))).rejects.toThrow(
      'A note has at most 10,000 characters.',
    );
    await leadctl('lead', 'note', leadId, 'asked to be called after six');
    expect((await show(leadId)).notes).toMatchObject([
      { author: 'noor', text: 'asked to be called after six' },
    ]);
    const { text } = await leadctl('lead', 'show', leadId);
    expect(text).toMatch(/^Notes\n2.* Asia\/Dubai {2}noor: asked to be called after six$/m);
  });
});

describe('lead reroute and lead pool', () => {
  test('send it through the rules, not to its holder, and explain the decision', async () => {
    const leadId = await createFor(sara);
    const { text } = await leadctl('lead', 'reroute', leadId, '--reason', 'wrong language');
    expect(text).toContain(`Omar K holds lead ${leadId} now.`);
    const explained = (await leadctl('lead', 'explain', leadId, '--round', '2')).text;
    expect(explained).toMatch(/By operator noor: wrong language[^]*Sales[^]*took it/);
    expect(explained).toContain('an operator took the lead from them');
    expect((await leadctl('lead', 'show', leadId)).text).toContain(
      `Sara H (${sara.email}): rules do not give it back`,
    );
    const checked = await leadctl('rules', 'check', '--json');
    expect(checked.json.differing).toEqual([]);
  });

  test('put it into a pool by its name, whose names a mistyped one shows', async () => {
    const leadId = await createFor(sara);
    const pool = (name: string) => leadctl('lead', 'pool', leadId, '--pool', name);
    expect((await pool('night POOL')).text).toBe(`Lead ${leadId} is in pool Night Pool now.\n`);
    expect((await pool('Night Pool')).text).toContain('already: nothing was changed');
    await expect(pool('Day Pool')).rejects.toThrow(
      "Pool 'Day Pool' not found. There are: Night Pool",
    );
    const other = randomUUID();
    await expect(leadctl('lead', 'pool', other, '--pool', 'Night Pool')).rejects.toThrow(
      `Lead ${other} not found`,
    );
  });
});

describe('agent release', () => {
  test('hands over what waits, counts what is left and why, and does it once', async () => {
    const held = [await createFor(sara), await createFor(sara), await createFor(sara)];
    const responded = await createFor(sara);
    await actions.respond(responded);
    const personal = await createFor(sara, { distributionType: 'personal' });
    const words = ['agent', 'release', sara.email, '--to', 'pool', 'Night', 'Pool', '--yes'];
    const { text } = await leadctl(...words);
    expect(text).toMatch(/pool Night Pool +3/);
    expect(text).toMatch(/left to Sara H +1 +Personal distribution/);
    expect(text).toMatch(/left to Sara H +1 +a response is recorded/);
    expect(text).toContain('The rules go on giving Sara H leads');
    for (const leadId of held) expect((await show(leadId)).pool).toBe('Night Pool');
    for (const leadId of [responded, personal])
      expect((await show(leadId)).holder.name).toBe('Sara H');
    const again = await leadctl(...words, '--json');
    expect(again.json).toMatchObject({ moved: [], left: [{ leads: 1 }, { leads: 1 }] });
  });

  test('goes back through the rules unless told otherwise, to nobody who is released', async () => {
    const held = [await createFor(sara), await createFor(sara)];
    const requestId = randomUUID();
    const words = ['agent', 'release', sara.email, '--request-id', requestId, '--yes', '--json'];
    const { json } = await leadctl(...words);
    expect(json).toMatchObject({
      requestId,
      moved: [{ to: { agentId: omar.id }, leads: 2 }],
      left: [],
    });
    for (const leadId of held)
      expect((await show(leadId)).assignments[1]).toMatchObject({
        decidedBy: 'operator',
        ruleName: 'Sales',
      });
    expect((await leadctl(...words)).json.moved).toEqual(json.moved);
  });

  test('begins with the oldest enquiry, whoever got it last', async () => {
    const held = [await createFor(sara), await createFor(sara), await createFor(sara)];
    const nora = await makeAgent(api.database, { name: 'Nora B' });
    const single = await makeAgent(api.database, { name: 'One O', open_cap: 1 });
    for (const agent of [nora, sara])
      await leadctl('lead', 'assign', held[0] ?? '', '--agent', agent.email);
    await activateRules(api.database, [
      { name: 'One', target: { kind: 'agent', agentId: single.id } },
    ]);
    await leadctl('agent', 'release', sara.email, '--yes');
    const owners: unknown[] = [];
    for (const leadId of held) owners.push((await show(leadId)).holder?.name);
    expect(owners).toEqual(['One O', undefined, undefined]);
  });

  test('with --responded also what was answered, whose new agent has a time of their own', async () => {
    const answered = await createFor(sara);
    await actions.respond(answered);
    await createFor(sara);
    const words = ['agent', 'release', sara.email, '--to', 'agent', omar.email, '--responded'];
    const size = { dryRun: true, leads: 2, responded: 1 };
    expect((await leadctl(...words, '--dry-run', '--json')).json).toMatchObject(size);
    await expect(leadctl(...words)).rejects.toThrow(
      '2 leads from Sara H, 1 of them with a recorded',
    );
    await expect(leadctl(...words, '--only', 'waiting')).rejects.toThrow(
      '--only waiting or --resp',
    );
    const { text } = await leadctl(...words, '--yes');
    expect(text).toMatch(/^Omar K +2 /m);
    expect(text).toContain('1 lead had a response already: for a new agent no response clock runs');
    const shown = (await leadctl('lead', 'show', answered)).text;
    expect(shown).toMatch(
      /^response +of an earlier agent, on 2.*: 1m 0s from the enquiry to the response, as reported$/m,
    );
    expect((await leadctl('lead', 'list', '--agent', omar.email)).text).toContain(
      'responded, before',
    );
    await actions.respond(answered);
    const later = await show(answered);
    const sinceAssigned = Date.parse(later.respondedAt) - Date.parse(later.assignedAt);
    expect(later.responseInSeconds).toBeCloseTo(sinceAssigned / 1000, 1);
    expect((await leadctl('lead', 'show', answered)).text).toMatch(
      /^response in +\d+s from the assignment to the response$/m,
    );
  });

  test('names in the question and the dry run what speaks against the agent who gets them', async () => {
    const to = await makeAgent(api.database, { name: 'Full F', open_cap: 2 });
    const absence = ['--from', '2020-01-01', '--to', '2099-12-30'];
    await leadctl('agent', 'absent', to.email, ...absence);
    await leadctl('lead', 'assign', await createFor(sara), '--agent', to.email);
    await createFor(sara);
    await createFor(sara);
    const warnings = [
      'Full F is absent until 2099-12-30: no rule chooses them, but leads that name them still go to them.',
      'Full F holds 3 open leads with these 2, over the cap of 2: no rule gives them more.',
    ];
    const release = ['agent', 'release', sara.email, '--to', 'agent', to.email];
    const deactivate = ['agent', 'deactivate', sara.email, '--release', 'agent', to.email];
    for (const words of [release, deactivate]) {
      const { json } = await leadctl(...words, '--dry-run', '--json');
      expect(json).toMatchObject({ dryRun: true, leads: 2, warnings });
      await expect(leadctl(...words)).rejects.toThrow(`${warnings.join('\n')}\n`);
    }
  });

  test('as an agent is deactivated, but for leads of Personal distribution, as the question says', async () => {
    const leadId = await createFor(sara);
    const personal = await createFor(sara, { distributionType: 'personal' });
    const words = ['agent', 'deactivate', sara.email, '--release', 'agent', omar.email];
    expect((await leadctl(...words, '--dry-run')).text).toContain(
      'Sara H gets no lead any more; 1 lead without a response is handed over; 1 lead of Personal distribution stays theirs.',
    );
    const { json } = await leadctl(...words, '--yes', '--json');
    const left = [{ reason: 'personal', leads: 1 }];
    expect(json).toMatchObject({ active: false, changed: 1, moved: [{ leads: 1 }], left });
    expect((await show(leadId)).holder.name).toBe('Omar K');
    expect((await show(personal)).holder.name).toBe('Sara H');
  });

  test('only what waits, to an agent', async () => {
    const waiting = await createFor(sara);
    const expired = await createFor(sara);
    await api.database.query(`update leads set follow_up_due_at = null where id = $1`, [expired]);
    const to = ['--to', `agent ${omar.email}`, '--only', 'waiting', '--yes'];
    const { text } = await leadctl('agent', 'release', sara.email, ...to);
    expect(text).toMatch(/left to Sara H +1 +no response clock runs/);
    expect((await show(waiting)).holder.name).toBe('Omar K');
    expect((await show(expired)).holder.name).toBe('Sara H');
  });

  test('asks before, and refuses what is no target', async () => {
    await createFor(sara);
    const release = (...words: string[]) => leadctl('agent', 'release', sara.email, ...words);
    await expect(release()).rejects.toThrow(
      'This takes 1 lead from Sara H. leadctl lead undo takes it back, one lead at a time: say',
    );
    await expect(release('--to', 'nowhere')).rejects.toThrow('rules, pool NAME or agent EMAIL');
    await expect(release('--to', 'agent', sara.email)).rejects.toThrow('to themselves');
  });
});

test('an import says how many leads agents hold who are not active, and how to hand them over', async () => {
  await createFor(sara);
  await createFor(sara, { distributionType: 'personal' });
  const none = await datasetFile({ agents: [] });
  await expect(leadctl('import', none, '--disable-missing')).rejects.toThrow(
    /\d+ of them holds? \d+ leads? without a response\./,
  );
  const dataset = await datasetFile({
    agents: [{ email: sara.email, name: 'Sara H', active: false }],
  });
  expect((await leadctl('import', dataset)).text).toContain(
    `${sara.email} is not active and holds 1 lead without a response: leadctl agent release ${sara.email}`,
  );
  await leadctl('agent', 'release', sara.email, '--yes');
  expect((await leadctl('import', dataset, '--json')).json).not.toHaveProperty('inactiveHolders');
});
