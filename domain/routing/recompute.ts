import { canonicalJson, contentHash } from '../canonical-json.ts';
import { decide, reassign } from './decide.ts';
import type { Decision, Reassignment, Explanation } from './decision.ts';
import type { FollowUp } from './follow-up.ts';
import type { LeadFacts } from './condition.ts';
import { type Ruleset } from './rules.ts';
import { matchRules } from './match-rules.ts';
import type { Roster } from './roster.ts';

export interface StoredDecision {
  decidedBy: 'rules' | 'follow_up' | 'operator';
  decidedAt: Date;
  ruleName: string | null;
  status: 'assigned' | 'pool' | 'unassigned' | 'waiting';
  agentId: string | null;
  poolId: string | null;
  followUp: FollowUp | null;
  facts: LeadFacts;
  factsHash: string;
  roster: Roster;
  rosterHash: string;
  explanation: Explanation;
}

export interface StoredRuleset extends Ruleset {
  contentHash: string;
}

export function differences(stored: StoredDecision, ruleset: StoredRuleset): string[] {
  const tampered = [
    ...hashIssue('record of facts', stored.facts, stored.factsHash),
    ...hashIssue('roster', stored.roster, stored.rosterHash),
    ...hashIssue('ruleset', ruleset.rules, ruleset.contentHash),
  ];
  const again = recompute(stored, ruleset);
  if (!again) return [...tampered, `its ruleset has no rule '${stored.ruleName}'`];
  return [...tampered, ...outcomeIssues(stored, again)];
}

/** The stored follow-up has the minutes that were configured then. */
function recompute(stored: StoredDecision, ruleset: Ruleset): Decision | Reassignment | null {
  const { facts, roster, decidedAt, decidedBy, ruleName, followUp } = stored;
  const defaults = { followUpMinutes: followUp?.minutes ?? 0 };
  if (decidedBy !== 'follow_up')
    return decide(matchRules(facts, ruleset), roster, decidedAt, defaults);
  const rule = ruleset.rules.find(({ name }) => name === ruleName);
  return rule ? reassign(rule, facts, roster, decidedAt, defaults) : null;
}

function hashIssue(what: string, content: unknown, kept: string): string[] {
  return contentHash(content) === kept ? [] : [`its ${what} does not have the hash that was kept`];
}

function outcomeIssues(stored: StoredDecision, again: Decision | Reassignment): string[] {
  const compared: [what: string, before: unknown, after: unknown][] = [
    ['outcome', stored.status, again.kind],
    ['agent', stored.agentId, again.kind === 'assigned' ? again.agentId : null],
    ['pool', stored.poolId, again.kind === 'pool' ? again.poolId : null],
    ['rule', stored.ruleName, again.ruleName],
    ['follow-up', stored.followUp, again.kind === 'assigned' ? again.followUp : null],
  ];
  const issues = compared.flatMap(([what, ...values]) => {
    const [before, after] = values.map(canonicalJson);
    return before === after ? [] : [`${what} ${before} comes out as ${after}`];
  });
  const isExplainedAlike = canonicalJson(stored.explanation) === canonicalJson(again.explanation);
  return isExplainedAlike ? issues : [...issues, 'its explanation comes out differently'];
}
