import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import process from 'node:process';
import { text as readAll } from 'node:stream/consumers';
import { leadCommands } from '../../cli/lead.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { withCompileCache } from '../support/environment.ts';
import {
  activateRules,
  makeAgent,
  makePool,
  makeSource,
  type TestAgent,
} from '../support/routing.ts';
import { leadctlFor } from './leadctl.ts';
import { startCommandService } from './service.ts';

let sara: TestAgent;

const service = await startCommandService();
const { api, actions } = service;
const leadctl = leadctlFor([leadCommands], service.variables);
const poolId = await makePool(api.database, 'Night Pool');
const website = await makeSource(api.database, 'Website');
afterAll(() => service.stop());

/** Each test begins without a lead that nobody holds, and without rules but for leads of the website. */
beforeEach(async () => {
  sara = await makeAgent(api.database, { name: 'Sara H' });
  await leadctl('lead', 'assign', '--all', '--agent', sara.email, '--yes');
  await noRules();
});

const FROM_WEBSITE = [[{ field: 'source', op: 'in', values: [website] }]];
const NOT_FROM_WEBSITE = [[{ field: 'source', op: 'notIn', values: [website], onMissing: 'pass' }]];
const noRules = () =>
  activateRules(api.database, [
    { name: 'Website to the pool', when: FROM_WEBSITE, target: { kind: 'pool', poolId } },
  ]);
async function countOpen(agentId: string): Promise<number> {
  const text = 'select from leads where owner_id = $1 and agent_responded_at is null';
  return (await api.database.query(text, [agentId])).length;
}
const allToSara = () =>
  activateRules(api.database, [{ name: 'All', target: { kind: 'agent', agentId: sara.id } }]);

async function unassigned(count: number): Promise<string[]> {
  const leads = await Promise.all(Array.from({ length: count }, () => actions.create({})));
  for (const leadId of leads) await actions.becomes(leadId, 'unassigned');
  return leads;
}

async function pooled(): Promise<string> {
  const leadId = await actions.create({ source: 'Website' });
  await actions.becomes(leadId, 'pool');
  return leadId;
}

const show = async (leadId: string) => (await leadctl('lead', 'show', leadId, '--json')).json;

describe('many leads that nobody holds', () => {
  test('go back through the rules, with what came of each', async () => {
    const leads = await unassigned(3);
    const inPool = await pooled();
    await allToSara();
    const words = ['lead', 'reroute', '--status', 'unassigned'];
    expect((await leadctl(...words, '--dry-run', '--json')).json).toEqual({
      dryRun: true,
      leads: 3,
      matching: 3,
      statuses: ['unassigned'],
      warnings: [],
    });
    await expect(leadctl(...words)).rejects.toThrow('This sends 3 leads back through the rules.');
    const { text } = await leadctl(...words, '--yes', '--reason', 'rules were empty');
    expect(text).toMatch(/^Sara H +3 /m);
    for (const leadId of leads) expect((await show(leadId)).holder.name).toBe('Sara H');
    expect((await show(leads[0] ?? '')).assignments.at(-1).handOver).toMatchObject({
      author: 'noor',
      reason: 'rules were empty',
    });
    expect((await show(inPool)).pool).toBe('Night Pool');
    expect((await leadctl(...words, '--yes')).text).toBe('No lead matches.\n');
  });

  test('get the agents that are free by age; one that finds nobody stays as it was', async () => {
    const leads: string[] = [];
    for (let lead = 0; lead < 4; lead += 1) leads.push(...(await unassigned(1)));
    leads.push(await pooled());
    const state = () =>
      api.database.query(
        `select owner_id, placed_at, pool_id,
           (select count(*)::int from webhook_events where lead_id = l.id) as events
         from unnest($1::uuid[]) with ordinality o (id, at) join leads l using (id) order by at`,
        [leads],
      );
    const before = await state();
    const held = await countOpen(sara.id);
    const reroute = async (more: number) => {
      const text = 'update agents set open_cap = $2 where id = $1';
      await api.database.query(text, [sara.id, held + more]);
      await leadctl('lead', 'reroute', '--all', '--yes');
      return state();
    };
    await activateRules(api.database, [
      { name: 'All', target: { kind: 'agent', agentId: sara.id }, when: NOT_FROM_WEBSITE },
      { name: 'Website to the pool', target: { kind: 'pool', poolId }, when: FROM_WEBSITE },
    ]);
    expect(await reroute(0)).toEqual(before);
    for (const more of [2, 3]) {
      const after = await reroute(more);
      for (const lead of after.slice(0, more)) expect(lead).toMatchObject({ owner_id: sara.id });
      expect(after.slice(more)).toEqual(before.slice(more));
    }
  });

  test('go to an agent or into a pool, those that the filters name', async () => {
    const [leadId = ''] = await unassigned(1);
    const inPool = await pooled();
    const words = ['lead', 'assign', '--all', '--agent', sara.email, '--yes', '--json'];
    expect((await leadctl(...words, '--source', 'website')).json.moved).toEqual([
      { to: { kind: 'agent', agentId: sara.id }, leads: 1 },
    ]);
    expect((await show(inPool)).holder.name).toBe('Sara H');
    expect((await show(leadId)).status).toBe('unassigned');
    await leadctl('lead', 'pool', '--status', 'unassigned', '--pool', 'night pool', '--yes');
    expect((await show(leadId)).pool).toBe('Night Pool');
    const byRule = ['--status', 'pool', '--rule', 'Another rule', '--since', '1h'];
    await expect(leadctl(...words, ...byRule)).rejects.toThrow('Rule not found by this name');
    expect((await show(leadId)).pool).toBe('Night Pool');
  });

  test('are named by an argument or by options, not by both', async () => {
    const one = ['lead', 'reroute', randomUUID(), '--status', 'pool', '--yes'];
    await expect(leadctl(...one)).rejects.toThrow('--limit or --all for many, not both');
    const ofSource = ['lead', 'reroute', randomUUID(), '--source', 'Website', '--yes'];
    await expect(leadctl(...ofSource)).rejects.toThrow('--limit or --all for many, not both');
    await expect(leadctl('lead', 'reroute', '--yes')).rejects.toThrow(
      'Say which lead, or --status',
    );
    await expect(leadctl('lead', 'reroute', '--status', 'assigned')).rejects.toThrow(
      'Allowed choices are unassigned, pool',
    );
  });

  test('are named by any one of the options', async () => {
    await unassigned(2);
    await pooled();
    const size = async (...words: string[]) =>
      (await leadctl('lead', 'reroute', ...words, '--dry-run', '--json')).json.leads;
    expect(await size('--status', 'unassigned')).toBe(2);
    expect(await size('--rule', 'Website to the pool')).toBe(1);
    expect(await size('--source', 'Website')).toBe(1);
    expect(await size('--client', api.client.clientId)).toBe(3);
    expect(await size('--since', '2d')).toBe(3);
    expect(await size('--limit', '2')).toBe(2);
    await expect(leadctl('lead', 'reroute', '--since', '2d', '--json')).rejects.toThrow(
      'This sends 3 leads back through the rules.',
    );
  });

  test('are not those whose person was erased', async () => {
    const [erased = ''] = await unassigned(2);
    await api.database.query(`update leads set erased_at = now() where id = $1`, [erased]);
    const words = ['lead', 'assign', '--all', '--agent', sara.email, '--yes', '--json'];
    expect((await leadctl(...words)).json.moved).toMatchObject([{ leads: 1 }]);
    expect((await show(erased)).status).toBe('unassigned');
  });

  test('are no more than --limit, also where the request runs again', async () => {
    const leads = await unassigned(3);
    const requestId = randomUUID();
    const words = ['lead', 'assign', '--agent', sara.email, '--limit', '2'];
    await expect(leadctl(...words)).rejects.toThrow(
      `This gives 2 leads to Sara H (${sara.email}), of 3 that match.`,
    );
    const assign = () => leadctl(...words, '--yes', '--request-id', requestId, '--json');
    const moved = [{ to: { kind: 'agent', agentId: sara.id }, leads: 2 }];
    expect((await assign()).json.moved).toEqual(moved);
    expect((await assign()).json.moved).toEqual(moved);
    const states: string[] = [];
    for (const leadId of leads) states.push((await show(leadId)).status);
    expect(states.sort()).toEqual(['assigned', 'assigned', 'unassigned']);
  });

  test('are those that were no older at the first run, where the request runs again later', async () => {
    await unassigned(1);
    const requestId = randomUUID();
    const words = ['lead', 'assign', '--agent', sara.email, '--since', '2d', '--yes', '--json'];
    await leadctl(...words, '--request-id', requestId);
    const [left] = await unassigned(1);
    await api.database.query(
      `with first_run as (update hand_overs set requested_at = now() - interval '3 hours' where id = $2)
       update leads set placed_at = now() - interval '49 hours' where id = $1`,
      [left, requestId],
    );
    expect((await leadctl(...words)).json.moved).toEqual([]);
    const { moved } = (await leadctl(...words, '--request-id', requestId)).json;
    expect(moved).toMatchObject([{ leads: 2 }]);
  });

  test('are shown by --dry-run, one lead too', async () => {
    const [leadId = ''] = await unassigned(1);
    const words = ['lead', 'assign', leadId, '--agent', sara.email, '--dry-run', '--json'];
    expect((await leadctl(...words)).json).toMatchObject({ dryRun: true, leads: 1, leadId });
    expect((await show(leadId)).status).toBe('unassigned');
  });

  test('go to an agent beyond their cap or in their pause only once that is said', async () => {
    await unassigned(3);
    const full = await makeAgent(api.database, {
      name: 'Full F',
      open_cap: 2,
      paused_at: new Date(),
    });
    const words = ['lead', 'assign', '--all', '--agent', full.email];
    const warnings = [
      'Full F is paused: no rule chooses them, but leads that name them still go to them.',
      'Full F holds 3 open leads with these 3, over the cap of 2: no rule gives them more.',
    ];
    expect((await leadctl(...words, '--dry-run', '--json')).json).toMatchObject({
      leads: 3,
      warnings,
    });
    await expect(leadctl(...words)).rejects.toThrow(
      [...warnings, `This gives 3 leads to Full F (${full.email}).`].join('\n'),
    );
    expect((await leadctl(...words, '--limit', '2', '--dry-run', '--json')).json.warnings).toEqual(
      warnings.slice(0, 1),
    );
    const gone = await makeAgent(api.database, { name: 'Gone G', active: false });
    const toGone = ['lead', 'assign', '--all', '--agent', gone.email, '--dry-run'];
    await expect(leadctl(...toGone)).rejects.toThrow('Gone G is not active and can get no lead.');
  });

  test('go on after Ctrl-C by the line that it prints', async () => {
    await unassigned(40);
    const requestId = randomUUID();
    const full = await makeAgent(api.database, { name: 'Full F', open_cap: 39 });
    const to = ['--all', '--agent', full.email, '--reason', 'a day’s work', '--yes'];
    const words = ['lead', 'assign', ...to, '--request-id', requestId];
    const child = spawn(process.execPath, ['--import', SIGINT_AGAIN, 'cli/main.ts', ...words], {
      env: withCompileCache({ ...service.variables, SECRETS_KEY: '11'.repeat(32) }),
    });
    const [closed, written, noted] = [
      once(child, 'close'),
      readAll(child.stdout),
      readAll(child.stderr),
    ];
    await waitUntil(async () => expect(await countMoved(requestId)).toBeGreaterThan(0), {
      what: 'A moved lead',
      everyMs: 5,
    });
    child.kill('SIGINT');
    expect(await closed).toEqual([130, null]);
    expect(await written).not.toContain('over the cap'); // of leads that have not moved
    const errors = await noted;
    const [, moved, left] = /Stopped: (\d+) leads? moved, (\d+) left\. /.exec(errors) ?? [];
    expect(Number(moved)).toBe(await countMoved(requestId));
    expect(Number(moved) + Number(left)).toBe(40);
    expect(errors.trimEnd().split('\n').at(-1)).toBe(
      `leadctl lead assign --all --agent ${full.email} --reason 'a day’s work' --yes --request-id ${requestId}`,
    );
    expect((await leadctl(...words)).text).toContain('Full F holds 40 open leads with th');
    expect(await countMoved(requestId)).toBe(40);
  });
});

/** A module that sends its process the first SIGINT again: npm passes on what the terminal sent already. */
const SIGINT_AGAIN = `data:text/javascript,process.once('SIGINT', () =>
  setTimeout(() => process.kill(process.pid, 'SIGINT'), 20))`;

async function countMoved(requestId: string): Promise<number> {
  const text = 'select count(*)::int as leads from assignments where hand_over_id = :requestId';
  const row = await api.database.queryOne<{ leads: number }>(text, { requestId });
  return row?.leads ?? 0;
}

describe('lead reroute', () => {
  const reroute = (leadId: string, ...words: string[]) =>
    leadctl('lead', 'reroute', leadId, ...words);

  test('gives a lead to nobody from whom operators took it, but with --no-exclusion', async () => {
    const held = await actions.create({ assignedBy: sara.email });
    await allToSara();
    await reroute(held);
    expect(await show(held)).toMatchObject({
      status: 'unassigned',
      takenFrom: [{ email: sara.email }],
    });
    await reroute(held, '--no-exclusion');
    expect(await show(held)).toMatchObject({ holder: { name: 'Sara H' }, takenFrom: [] });
  });
});

describe('lead undo', () => {
  const undo = (leadId: string, ...words: string[]) => leadctl('lead', 'undo', leadId, ...words);
  let omar: TestAgent;

  beforeEach(async () => {
    omar = await makeAgent(api.database, { name: 'Omar K' });
  });

  const giveTo = (agent: TestAgent, leadId: string) =>
    leadctl('lead', 'assign', leadId, '--agent', agent.email);

  test('brings a lead back to its agent, into its pool and to nobody', async () => {
    const [free = ''] = await unassigned(1);
    const inPool = await pooled();
    const held = await actions.create({ assignedBy: sara.email });
    for (const leadId of [free, inPool, held]) await giveTo(omar, leadId);
    expect((await undo(free)).text).toBe(`Lead ${free} is unassigned now.\n`);
    expect((await undo(inPool)).text).toBe(`Lead ${inPool} is in pool Night Pool now.\n`);
    expect((await undo(held)).text).toBe(`Sara H holds lead ${held} now.\n`);
    expect((await show(held)).followUpDueAt).not.toBeNull();
    expect((await show(free)).assignments).toMatchObject([
      { status: 'unassigned', decidedBy: 'rules' },
      { status: 'assigned', decidedBy: 'operator' },
      { status: 'unassigned', decidedBy: 'operator', handOver: { author: 'noor', isUndo: true } },
    ]);
    expect((await leadctl('lead', 'show', free)).text).toContain(
      'operator noor, taking back the hand-over before',
    );
    const { timeline } = await show(held);
    expect(timeline.at(-1).text).toBe(`Taken back by an operator: Sara H has it again.`);
    await expect(undo(held)).rejects.toThrow(
      'The last change was itself an undo; this makes the hand-over again.',
    );
    expect((await undo(held, '--yes')).text).toBe(`Omar K holds lead ${held} now.\n`);
  });

  test('asks before it takes back what another operator did', async () => {
    const [leadId = ''] = await unassigned(1);
    await actions.handOver(leadId, { kind: 'agent', agentId: omar.id }, {});
    await api.database.query(`update hand_overs set author = 'laila' where agent_id = $1`, [
      omar.id,
    ]);
    await expect(undo(leadId)).rejects.toThrow('laila handed this lead over');
    await undo(leadId, '--yes');
    expect((await show(leadId)).status).toBe('unassigned');
  });

  test('refuses, in a sentence, what somebody has changed since', async () => {
    const [never = '', responded = '', updated = '', claimed = ''] = await unassigned(4);
    await expect(undo(never)).rejects.toThrow(
      'The lead’s last change was a decision of the rules, not a hand-over by an operator; leadctl lead assign or lead reroute moves it.',
    );
    for (const leadId of [responded, updated]) await giveTo(omar, leadId);
    await actions.respond(responded);
    await expect(undo(responded)).rejects.toThrow('a response was recorded on 20');
    await actions.update(updated, { leadFirstName: 'Mona' });
    await expect(undo(updated)).rejects.toThrow('the integrator sent something on 20');
    await leadctl('lead', 'pool', claimed, '--pool', 'Night Pool');
    await leadctl('lead', 'claim', claimed, '--agent', sara.email);
    await expect(undo(claimed)).rejects.toThrow(
      'The lead’s last change was a claim, not a hand-over by an operator;',
    );
    expect((await show(claimed)).holder.name).toBe('Sara H');
  });

  test('takes the lead from nobody: rules may give it to whom it was given by mistake', async () => {
    const inPool = await pooled();
    await giveTo(omar, inPool);
    expect((await show(inPool)).takenFrom).toEqual([]);
    await undo(inPool);
    expect((await show(inPool)).takenFrom).toEqual([]);
    await giveTo(omar, inPool);
    await leadctl('lead', 'pool', inPool, '--pool', 'Night Pool');
    expect((await show(inPool)).takenFrom).toMatchObject([{ email: omar.email }]);
  });

  /** A rule whose only agent is away for an hour. */
  async function onlyAwayAgents(): Promise<TestAgent> {
    const nina = await makeAgent(api.database, { name: 'Nina B' });
    await api.database.query(
      `insert into agent_absences (agent_id, starts, ends) values ($1, $2, $3)`,
      [nina.id, ...[-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString())],
    );
    const onExhausted = { kind: 'wait', atMostMinutes: 600, then: { kind: 'unassigned' } };
    const target = { kind: 'agent', agentId: nina.id };
    await activateRules(api.database, [{ name: 'Nina', target, onExhausted }]);
    return nina;
  }

  test('brings a lead that waits since a reroute back to its agent', async () => {
    const held = await actions.create({ assignedBy: sara.email });
    await onlyAwayAgents();
    expect((await leadctl('lead', 'reroute', held)).text).toContain('waits');
    expect((await undo(held)).text).toBe(`Sara H holds lead ${held} now.\n`);
    expect((await show(held)).takenFrom).toEqual([]);
  });

  test('leaves a waiting lead the end of its wait, and who came later behind it', async () => {
    await onlyAwayAgents();
    const waitOf = async (leadId: string) =>
      api.database.queryOne<{ endsAt: Date }>(
        `select ends_at as "endsAt" from lead_waits where lead_id = $1 order by round desc limit 1`,
        [leadId],
      );
    const createWaiting = async () => {
      const leadId = await actions.create({});
      await waitUntil(async () => expect(await waitOf(leadId)).not.toBeNull(), {
        what: 'A lead that waits',
      });
      return leadId;
    };
    const [first, later] = [await createWaiting(), await createWaiting()];
    const { endsAt } = (await waitOf(first)) as { endsAt: Date };
    await giveTo(omar, first);
    await undo(first);
    expect(await waitOf(first)).toMatchObject({ endsAt });
    const queue = await api.database.query(
      `select lead_id as "leadId" from waiting_leads where lead_id in ($1, $2) order by since, lead_id`,
      [first, later],
    );
    expect(queue).toEqual([{ leadId: first }, { leadId: later }]);
  });
});
