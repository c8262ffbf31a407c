import { contentHash } from '../../../domain/canonical-json.ts';
import { decide, reassign } from '../../../domain/routing/decide.ts';
import type { Decision, Reassignment } from '../../../domain/routing/decision.ts';
import { type Rule } from '../../../domain/routing/rules.ts';
import { matchRules } from '../../../domain/routing/match-rules.ts';
import { differences, type StoredDecision } from '../../../domain/routing/recompute.ts';
import { DEFAULTS, makeAgent, makeFacts, makeRoster, makeRule, NOON_IN_DUBAI } from './make.ts';

const rule = makeRule({ name: 'Team' });
const roster = makeRoster([makeAgent({ id: 'sara' }), makeAgent({ id: 'omar' })]);
const facts = makeFacts();

const kept = (rules: Rule[]) => ({ rules, contentHash: contentHash(rules) });

function stored(
  decision: Decision | Reassignment,
  overrides: Partial<StoredDecision> = {},
): StoredDecision {
  const isAssigned = decision.kind === 'assigned';
  return {
    decidedBy: 'rules',
    decidedAt: NOON_IN_DUBAI,
    ruleName: decision.ruleName,
    status: isAssigned ? 'assigned' : 'unassigned',
    agentId: isAssigned ? decision.agentId : null,
    poolId: null,
    followUp: isAssigned ? decision.followUp : null,
    facts,
    factsHash: contentHash(facts),
    roster,
    rosterHash: contentHash(roster),
    explanation: decision.explanation,
    ...overrides,
  };
}

const decision = decide(matchRules(facts, { rules: [rule] }), roster, NOON_IN_DUBAI, DEFAULTS);

describe('making a stored decision again', () => {
  it('finds nothing in a decision as it was made', () => {
    expect(differences(stored(decision), kept([rule]))).toEqual([]);
  });

  it('finds nothing when the configured minutes were others then', () => {
    const defaults = { followUpMinutes: 90 };
    const withMinutes = decide(
      matchRules(facts, { rules: [rule] }),
      roster,
      NOON_IN_DUBAI,
      defaults,
    );
    expect(differences(stored(withMinutes), kept([rule]))).toEqual([]);
  });

  it('makes the follow-up’s move again by the rule that assigned the lead', () => {
    const second = makeFacts({ excludedAgentIds: ['sara'] });
    const move = reassign(rule, second, roster, NOON_IN_DUBAI, DEFAULTS);
    const entry = stored(move, {
      decidedBy: 'follow_up',
      facts: second,
      factsHash: contentHash(second),
    });
    expect(differences(entry, kept([rule]))).toEqual([]);
  });

  it('makes again what the rules decided of a lead that an operator sent back through them', () => {
    expect(differences(stored(decision, { decidedBy: 'operator' }), kept([rule]))).toEqual([]);
    const other = stored(decision, { decidedBy: 'operator', agentId: 'omar' });
    expect(differences(other, kept([rule]))).toEqual(['agent "omar" comes out as "sara"']);
  });

  it('reports another agent, another rule and another roster than those that were kept', () => {
    expect(differences(stored(decision, { agentId: 'omar' }), kept([rule]))).toEqual([
      'agent "omar" comes out as "sara"',
    ]);
    expect(differences(stored(decision, { ruleName: 'Other' }), kept([rule]))).toEqual([
      'rule "Other" comes out as "Team"',
    ]);
    expect(differences(stored(decision, { rosterHash: 'other' }), kept([rule]))).toEqual([
      'its roster does not have the hash that was kept',
    ]);
  });

  it('reports a ruleset that was changed after it was made', () => {
    const changed = { rules: [{ ...rule, order: 99 }], contentHash: contentHash([rule]) };
    expect(differences(stored(decision), changed)).toEqual([
      'its ruleset does not have the hash that was kept',
      'its explanation comes out differently',
    ]);
  });
});
