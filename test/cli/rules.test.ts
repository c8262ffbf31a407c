import { leadCommands } from '../../cli/lead.ts';
import { rulesCommands } from '../../cli/rules.ts';
import { newEmail } from '../support/api.ts';
import { activateRules, makeAgent, makePool, makeSource, makeTeam } from '../support/routing.ts';
import { waitForLockWaits } from '../support/lock-waits.ts';
import { leadActivities } from '../support/worker.ts';
import { datasetFile, startLeadctl } from './leadctl.ts';
import { activateRuleset, readRulesetEntry } from '../../store/routing/rulesets.ts';

const leads: string[] = [];

const FOLLOW_UP = { minutes: 15, onExpiry: 'reassign', maxMoves: 2 };

const { api, leadctl } = await startLeadctl(rulesCommands, leadCommands);
const { database } = api;
const sara = await makeAgent(database, { name: 'Sara H', email: 'sara@agency.example' });
const omar = await makeAgent(database, { name: 'Omar K', email: 'omar@agency.example' });
const teamId = await makeTeam(database, [sara, omar], [2, 1]);
await makeSource(database, 'Website');
const poolId = await makePool(database, 'Night Pool');
await database.query(`update list_entries set key = 'night pool' where id = $1`, [poolId]);
const teamVersion = await activateRules(database, [teamRule()]);
for (let number = 0; number < 9; number += 1) leads.push(await routedLead());
await expireFollowUp(leads[0] ?? '');

function teamRule() {
  return { name: 'The team', target: { kind: 'team', teamId }, followUp: FOLLOW_UP };
}

async function routedLead(body: object = {}): Promise<string> {
  const { id } = await api.create({ leadEmails: [newEmail()], source: 'Website', ...body });
  await leadActivities(api).routeLead({ leadId: id });
  return id;
}

/** Expires the follow-up 15 minutes later, without a response. */
async function expireFollowUp(leadId: string): Promise<void> {
  const later = () => new Date(Date.now() + 16 * 60_000);
  await leadActivities(api, later).expireFollowUp({ leadId, round: 1, moves: 0 });
}

const rulesFile = (...rules: object[]) => datasetFile({ rules });

async function teamName(): Promise<string> {
  const [team] = await database.query<{ name: string }>(`select name from teams`);
  return team?.name ?? '';
}

describe('leadctl rules try', () => {
  test('shows how many leads go elsewhere, from whom to whom, and the shares', async () => {
    const target = { kind: 'agent', name: omar.email };
    const file = await rulesFile({ name: 'All to Omar', order: 1, target });
    const { text } = await leadctl('rules', 'try', file, '--since', '7d', '--sample', '1');
    expect(text).toContain('6 of 9 leads would go elsewhere; 0 would find nobody');
    expect(text).toMatch(/Sara H\W+Omar K\W+6/);
    expect(text).toMatch(/Omar K\W+3\W+33\.3 %\W+9\W+100\.0 %/);
    expect(text).toContain('All to Omar');
    expect(text).toContain('by weighted round robin');
  });

  test('reports every name that matches no record, with its place in the file', async () => {
    const target = { kind: 'team', name: 'Nobody’s team' };
    const file = await rulesFile({ name: 'Wrong', order: 1, target });
    await expect(leadctl('rules', 'try', file)).rejects.toThrow(
      /rules\[0\]\.target\.name: .*Nobody’s team/,
    );
  });
});

describe('leadctl rules check', () => {
  test('recomputes every decision, also those of the follow-up', async () => {
    const { json } = await leadctl('rules', 'check', '--since', '30d', '--json');
    expect(json).toMatchObject({ checked: 10, differing: [], waitingByEarlierRules: 0 });
    expect((await leadctl('rules', 'check')).text).toContain('all come out the same');
  });

  test('reports a decision whose outcome, roster or explanation was changed afterwards', async () => {
    const [first, second, third] = leads.slice(1);
    const change = (set: string, lead?: string) =>
      database.query(
        `update routing_decisions d set ${set} from assignments a
         where a.id = d.assignment_id and a.lead_id = $1`,
        [lead],
      );
    await change(`roster = jsonb_set(d.roster, '{agents,0,paused}', 'true')`, first);
    await change(`explanation = jsonb_set(explanation, '{rules,0,order}', '7')`, second);
    await database.query(
      `update assignments set agent_id = (select id from agents where id <> agent_id limit 1)
       where lead_id = $1`,
      [third],
    );
    await expect(leadctl('rules', 'check')).rejects.toThrow('3 decisions cannot be recomputed.');
  });
});

describe('leadctl rules show, versions and activate', () => {
  test('show the active rules in words, with names for ids', async () => {
    const { text } = await leadctl('rules', 'show');
    expect(text).toContain(`Ruleset ${teamVersion} by test`);
    expect(text).toContain(`team ${await teamName()}`);
    expect(text).toContain('in 15 min: next agent');
  });

  test('roll back to an earlier version, which routes the next lead', async () => {
    await activateRules(database, [
      { name: 'All to Omar', target: { kind: 'agent', agentId: omar.id } },
    ]);
    expect((await leadctl('rules', 'show')).text).toContain('All to Omar');
    await leadctl('rules', 'activate', String(teamVersion), '--yes');
    const again = await leadctl('rules', 'activate', String(teamVersion));
    expect(again.text).toContain('active already');
    const { json } = await leadctl('rules', 'versions', '--json');
    expect((await leadctl('rules', 'list', '--json')).json).toEqual(json);
    const active = json.filter((each: { isActive: boolean }) => each.isActive);
    expect(active).toMatchObject([{ version: teamVersion, activatedBy: 'noor', author: 'test' }]);
    const explained = await leadctl('lead', 'explain', await routedLead());
    expect(explained.text).toContain('The team');
  });

  test('activate a version once where two operators do it at once', async () => {
    const before = await activateRules(database, [teamRule()]);
    const activating = await database.transaction(async (sql) => {
      await sql.query('select from reference_state for update');
      const both = ['noor', 'omar'].map((author) =>
        activateRuleset(database, { version: teamVersion, author, now: new Date() }),
      );
      await waitForLockWaits(database, 2);
      return { both };
    });
    expect((await Promise.all(activating.both)).sort()).toEqual([before, null]);
  });

  test('refuse to replace rules that somebody else activated after the losses were shown', async () => {
    const others = await activateRules(database, [teamRule()]);
    await activateRules(database, [teamRule()]);
    const { activating } = await database.transaction(async (sql) => {
      await sql.query('select from reference_state for update');
      const refused = leadctl('rules', 'activate', String(teamVersion), '--yes');
      const activating = expect(refused).rejects.toThrow('Somebody else activated rules meanwhile');
      await waitForLockWaits(database, 1);
      await sql.query(
        `insert into routing_activations (version, author, activated_at) values ($1, 'omar', now())`,
        [others],
      );
      return { activating };
    });
    await activating;
    expect(await readRulesetEntry(database)).toMatchObject({ version: others });
  });

  test('show an earlier version, and refuse an unknown one', async () => {
    const { text } = await leadctl('rules', 'show', '--version', '1');
    expect(text).toContain('No rules: every lead stays unassigned.');
    await expect(leadctl('rules', 'activate', '99')).rejects.toThrow('Ruleset 99 not found');
  });

  test('show what happens to a lead without a response, also when the rule names no pool', async () => {
    const target = { kind: 'agent', agentId: omar.id };
    const pool = await makePool(database, 'Late Pool');
    const followUp = { minutes: 5, onExpiry: 'pool' };
    await activateRules(database, [
      { name: 'No pool', target, followUp },
      { name: 'A pool', target, followUp, onExhausted: { kind: 'pool', poolId: pool } },
      { name: 'Nobody', target: { kind: 'pool', poolId: pool }, followUp },
    ]);
    const { text } = await leadctl('rules', 'show');
    expect(text).toMatch(/No pool\n(?: .*\n)*.*next rule\n.*in 5 min: a note, /);
    expect(text).toMatch(/A pool\n(?: .*\n)*.*in 5 min: pool Late Pool/);
    expect(text).toMatch(/Nobody\n(?: .*\n)*.*pool Late Pool\n.*once claimed, in 5 min: a note/);
  });
});
