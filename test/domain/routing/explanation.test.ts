import { decide, reassign } from '../../../domain/routing/decide.ts';
import { type Rule } from '../../../domain/routing/rules.ts';
import { matchRules } from '../../../domain/routing/match-rules.ts';
import { summarise, whyNobody } from '../../../domain/routing/decision.ts';
import { DEFAULTS, makeAgent, makeFacts, makeRoster, makeRule, NOON_IN_DUBAI } from './make.ts';

const names: Record<string, string> = { sara: 'Sara H', weekend: 'Weekend Pool' };
const nameOf = (id: string) => names[id] ?? id;
const web = { field: 'source', op: 'in', values: ['web'] };
const roster = makeRoster(
  [makeAgent({ id: 'sara' }), makeAgent({ id: 'omar' }), makeAgent({ id: 'lina', paused: true })],
  { sara: { weight: 2 } },
);

const explained = (rules: Rule[], facts = makeFacts({ source: 'chat' })) =>
  decide(matchRules(facts, { rules }), roster, NOON_IN_DUBAI, DEFAULTS).explanation;

describe('the explanation of a decision', () => {
  it('names every rule that was tried, what failed, who was eligible and by which arithmetic one was chosen', () => {
    const miss = makeRule({ name: 'Web', order: 1, when: [[web]] });
    const hit = makeRule({ name: 'All', order: 2 });
    const late = makeRule({ name: 'Late', order: 3 });
    expect(explained([miss, hit, late])).toStrictEqual({
      version: 1,
      rules: [
        {
          name: 'Web',
          order: 1,
          claimed: false,
          outcome: 'not_matched',
          failed: [{ field: 'source', op: 'in', wanted: ['web'], found: ['chat'] }],
          why: 'its condition on source failed',
        },
        {
          name: 'All',
          order: 2,
          claimed: false,
          outcome: 'chosen',
          target: { kind: 'team', teamId: 'team' },
          selection: {
            by: 'weighted_round_robin',
            chosen: 'sara',
            preferred: [],
            agents: [
              { agentId: 'sara', eligible: true },
              { agentId: 'omar', eligible: true },
              { agentId: 'lina', eligible: false, reason: 'paused' },
            ],
            arithmetic: [
              { agentId: 'sara', creditBefore: 0, weight: 2, creditAfter: 2 / 3 - 1 },
              { agentId: 'omar', creditBefore: 0, weight: 1, creditAfter: 1 / 3 },
            ],
          },
          why: 'highest credit of 2 eligible',
        },
        { name: 'Late', order: 3, claimed: false, outcome: 'not_reached' },
      ],
    });
  });

  it('shows the loads where the least loaded is chosen', () => {
    const load = { openLeads: 0, assignedToday: 0, lastAssignedAt: null };
    expect(explained([makeRule({ strategy: 'least_loaded' })]).rules[0]).toMatchObject({
      selection: {
        by: 'least_loaded',
        loads: [
          { agentId: 'sara', ...load },
          { agentId: 'omar', ...load },
        ],
      },
    });
  });
});

describe('the summary of a decision', () => {
  const lina = { target: { kind: 'agent', agentId: 'lina' } };
  const LINA_PAUSED = 'the agent it names could not take the lead (1 paused)';
  const pool = { kind: 'pool', poolId: 'weekend' };

  it.each<[sentence: string, rules: object[], lines: string[]]>([
    ['says that there was no rule', [], ['No rule placed the lead']],
    [
      'counts the rules that did not match',
      [{ when: [[web]] }],
      ['No rule placed the lead', '1 rule did not match'],
    ],
    [
      'names the rule, the agent, the strategy and what came before',
      [
        { name: 'Web', order: 1, when: [[web]] },
        { name: 'Lina', order: 2, ...lina },
        { name: 'Team', order: 3 },
      ],
      [
        "Rule 'Team' chose Sara H by weighted round robin, 2 of 3 eligible (1 paused)",
        '1 rule before it did not match',
        `Rule 'Lina': ${LINA_PAUSED}`,
      ],
    ],
    [
      'says why a rule left the lead in a pool',
      [{ name: 'Lina', ...lina, onExhausted: pool }],
      [`Rule 'Lina' left it in pool Weekend Pool: ${LINA_PAUSED}`],
    ],
    [
      'says why a rule left the lead unassigned',
      [{ name: 'Lina', ...lina, onExhausted: { kind: 'unassigned' } }],
      [`Rule 'Lina' left it unassigned: ${LINA_PAUSED}`],
    ],
    [
      'names the pool that a rule targets',
      [{ name: 'Pool', target: pool }],
      ["Rule 'Pool' left it in pool Weekend Pool"],
    ],
    [
      'names the agent that a rule targets',
      [{ name: 'Sara', target: { kind: 'agent', agentId: 'sara' } }],
      ["Rule 'Sara' names Sara H"],
    ],
    [
      'says that the least loaded was chosen',
      [{ name: 'Load', strategy: 'least_loaded' }],
      ["Rule 'Load' chose Sara H as the least loaded, 2 of 3 eligible (1 paused)"],
    ],
  ])('%s', (_sentence, rules, lines) => {
    expect(summarise(explained(rules.map((rule) => makeRule({ ...rule }))), nameOf)).toEqual(lines);
  });

  it('says when a rule claimed the lead', () => {
    const rule = makeRule({ name: 'Campaigns', claims: ['campaign'] });
    const facts = makeFacts({ distributionType: 'Campaign distribution' });
    expect(summarise(explained([rule], facts), nameOf)[0]).toMatch(
      /^Rule 'Campaigns', which claims this distribution type, chose Sara H/,
    );
  });

  it('names a follow-up that found no next agent', () => {
    const facts = makeFacts({ excludedAgentIds: ['sara', 'omar'] });
    const rule = makeRule({ name: 'Team', onExhausted: pool });
    const { explanation } = reassign(rule, facts, roster, NOON_IN_DUBAI, DEFAULTS);
    expect(whyNobody(explanation)).toEqual([
      "Rule 'Team': none of the 3 in its team could take the lead (2 held earlier in round, 1 paused)",
    ]);
    expect(summarise(explanation, nameOf)).not.toContainEqual(expect.stringContaining('pool'));
  });
});
