import { contentHash } from '../../../domain/canonical-json.ts';
import { decide, reassign } from '../../../domain/routing/decide.ts';
import type { Decision, Reassignment } from '../../../domain/routing/decision.ts';
import { matchRules } from '../../../domain/routing/match-rules.ts';
import { differences, type StoredDecision } from '../../../domain/routing/recompute.ts';
import { DEFAULTS, makeAgent, makeFacts, makeRoster, makeRule, NOON_IN_DUBAI } from './make.ts';

const rule = makeRule({ name: 'Team' });
const roster = makeRoster([makeAgent({ id: 'sara' }), makeAgent({ id: 'omar' })]);
const facts = makeFacts();

const kept = { rules: [rule], contentHash: contentHash([rule]) };
const decidedWith = (followUpMinutes: number) =>
  decide(matchRules(facts, kept), roster, NOON_IN_DUBAI, { followUpMinutes });

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

const decision = decidedWith(15);

describe('making a stored decision again', () => {
  it('finds nothing in a decision as it was made', () => {
    expect(differences(stored(decision), kept)).toEqual([]);
  });

  it('finds nothing when the configured minutes were others then', () => {
    expect(differences(stored(decidedWith(90)), kept)).toEqual([]);
  });

  it('makes the follow-up’s move again by the rule that assigned the lead', () => {
    const second = makeFacts({ excludedAgentIds: ['sara'] });
    const move = reassign(rule, second, roster, NOON_IN_DUBAI, DEFAULTS);
    const entry = stored(move, {
      decidedBy: 'follow_up',
      facts: second,
      factsHash: contentHash(second),
    });
    expect(differences(entry, kept)).toEqual([]);
  });

  it('makes again what the rules decided of a lead that an operator sent back through them', () => {
    expect(differences(stored(decision, { decidedBy: 'operator' }), kept)).toEqual([]);
  });

  it('reports another agent, another rule and another roster than those that were kept', () => {
    const reports = [
      [{ agentId: 'omar' }, 'agent "omar" comes out as "sara"'],
      [{ ruleName: 'Other' }, 'rule "Other" comes out as "Team"'],
      [{ rosterHash: 'other' }, 'its roster does not have the hash that was kept'],
    ] as const;
    for (const [change, text] of reports)
      expect(differences(stored(decision, change), kept)).toEqual([text]);
  });

  it('reports a ruleset that was changed after it was made', () => {
    const changed = { ...kept, rules: [{ ...rule, order: 99 }] };
    expect(differences(stored(decision), changed)).toEqual([
      'its ruleset does not have the hash that was kept',
      'its explanation comes out differently',
    ]);
  });
});
