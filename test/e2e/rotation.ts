import { decide, reassign } from '../../domain/routing/decide.ts';
import type { CreditChange } from '../../domain/routing/roster.ts';
import { type Ruleset } from '../../domain/routing/rules.ts';
import { matchRules } from '../../domain/routing/match-rules.ts';
import type { DecisionEntry } from '../../store/routing/decisions.ts';

type Credits = Record<string, number | null>;

/**
 * Whether the turns of a team are one chain: every state of its credits that a turn began with is where
 * another one ended, and the last is what the team has now. A turn that was lost, doubled or taken on a
 * state that was not the newest leaves a state over on one of the sides. Returns what is left over.
 */
export function unlinkedCredits(
  teamId: string,
  decisions: readonly DecisionEntry[],
  ruleset: Ruleset,
  [first, last]: [Credits, Credits],
): string[] {
  const turns = decisions.flatMap((each) => turnOf(teamId, each, ruleset));
  const begun = [...turns.map(({ before }) => before), last].map(textOf);
  const ended = [first, ...turns.map(({ after }) => after)].map(textOf);
  return [...without(begun, ended), ...without(ended, begun)];
}

export function turnsOf(
  teamId: string,
  decisions: readonly DecisionEntry[],
  ruleset: Ruleset,
): number {
  return decisions.flatMap((each) => turnOf(teamId, each, ruleset)).length;
}

/** None for a decision that gave the lead to nobody of the team. */
function turnOf(teamId: string, decision: DecisionEntry, ruleset: Ruleset) {
  const changes = rotationOf(decision, ruleset).filter((change) => change.teamId === teamId);
  if (changes.length === 0) return [];
  const members = decision.roster.teams.find(({ id }) => id === teamId)?.members ?? [];
  const before: Credits = Object.fromEntries(members.map((each) => [each.agentId, each.credit]));
  const changed = Object.fromEntries(changes.map(({ agentId, credit }) => [agentId, credit]));
  return [{ before, after: { ...before, ...changed } }];
}

function rotationOf(decision: DecisionEntry, ruleset: Ruleset): readonly CreditChange[] {
  const { facts, roster, decidedAt, decidedBy, ruleName } = decision;
  const defaults = { followUpMinutes: 0 };
  const rule = ruleset.rules.find(({ name }) => name === ruleName);
  if (!rule) return [];
  const again =
    decidedBy === 'rules'
      ? decide(matchRules(facts, ruleset), roster, decidedAt, defaults)
      : reassign(rule, facts, roster, decidedAt, defaults);
  return again.kind === 'assigned' ? again.rotation : [];
}

function textOf(credits: Credits): string {
  return JSON.stringify(Object.entries(credits).sort(([a], [b]) => a.localeCompare(b)));
}

function without(list: readonly string[], other: readonly string[]): string[] {
  const rest = [...other];
  return list.filter((each) => {
    const at = rest.indexOf(each);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
