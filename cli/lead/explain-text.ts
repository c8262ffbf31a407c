import type { Explanation, RuleTrace } from '../../domain/routing/types.ts';
import type { AssignmentEntry } from '../../store/assignment/assignment-history.ts';
import { tableText, timeText } from '../text.ts';
import { agentsText } from './explain-agents.ts';
import type { DecisionsView } from './explain.ts';
import { ruleWhy } from './explain-rule.ts';
import { outcomeText } from './words.ts';

export type Names = ReadonlyMap<string, string>;

export function decisionsText({ decisions, names }: DecisionsView): string {
  if (decisions.length === 0) return 'Nothing was decided yet.';
  return decisions.map((each) => decisionText(each, names)).join('\n\n');
}

function decisionText(entry: AssignmentEntry, names: Names): string {
  const { explanation } = entry;
  const parts = explanation ? explanationParts(explanation, names) : [entry.reason];
  return [headline(entry), ...parts].join('\n');
}

function headline(entry: AssignmentEntry): string {
  const { round, move, decidedAt, rulesetVersion } = entry;
  const ruleset = rulesetVersion === null ? '' : `, ruleset ${rulesetVersion}`;
  const moved = move === 0 ? '' : `, move ${move}`;
  return `Round ${round}${moved}: ${outcomeText(entry)}  (${timeText(decidedAt)}${ruleset})`;
}

/** Rules in the order in which they were tried, then everyone that a rule looked at. */
export function explanationParts({ rules }: Explanation, names: Names): string[] {
  if (rules.length === 0) return ['There was no rule to try.'];
  const table = tableText(
    ['order', 'rule', 'outcome', 'why'],
    rules.map((rule) => [
      rule.order,
      rule.claimed ? `${rule.name} (claims the lead)` : rule.name,
      OUTCOMES[rule.outcome],
      ruleWhy(rule, names),
    ]),
  );
  return [table, ...rules.flatMap((rule) => agentsText(rule, names))];
}

const OUTCOMES: Record<RuleTrace['outcome'], string> = {
  chosen: 'took it',
  exhausted: 'found nobody',
  not_matched: 'did not match',
  not_reached: 'not reached',
};
