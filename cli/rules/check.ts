import { differences } from '../../domain/routing/recompute.ts';
import { createStoredRulesets, readDecisionsSince } from '../../store/routing/stored-decisions.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { count, tableText, timeText } from '../text.ts';

interface DifferingDecision {
  leadId: string;
  round: number;
  move: number;
  decidedAt: Date;
  rulesetVersion: number;
  differences: string[];
}

interface CheckView {
  since: Date;
  checked: number;
  differing: DifferingDecision[];
}

/** Makes every decision again from what was kept of it; fails when any comes out differently. */
export async function checkDecisions(
  operator: Operator,
  { since: sinceMs }: { since: number },
): Promise<void> {
  const since = new Date(operator.now().getTime() - sinceMs);
  const view = await recomputeAll(operator, since);
  operator.show(view, checkText);
  if (view.differing.length === 0) return;
  throw new OperatorError(`${count(view.differing.length, 'decision')} cannot be recomputed.`);
}

async function recomputeAll(operator: Operator, since: Date): Promise<CheckView> {
  const database = await operator.database();
  const rulesetOf = createStoredRulesets(database);
  const view: CheckView = { since, checked: 0, differing: [] };
  for await (const stored of readDecisionsSince(database, since)) {
    const { leadId, round, move, decidedAt, rulesetVersion } = stored;
    const found = differences(stored, await rulesetOf(rulesetVersion));
    view.checked += 1;
    if (found.length === 0) continue;
    const decision = { leadId, round, move, decidedAt, rulesetVersion };
    view.differing.push({ ...decision, differences: found });
  }
  return view;
}

function checkText({ since, checked, differing }: CheckView): string {
  const looked = `${count(checked, 'decision')} since ${timeText(since)} made again`;
  if (differing.length === 0) return `${looked}: all come out the same.`;
  const table = tableText(
    ['lead', 'round', 'move', 'decided', 'ruleset', 'difference'],
    differing.map((each) => [
      each.leadId,
      each.round,
      each.move,
      timeText(each.decidedAt),
      each.rulesetVersion,
      each.differences.join('\n'),
    ]),
  );
  return `${looked}.\n${table}`;
}
