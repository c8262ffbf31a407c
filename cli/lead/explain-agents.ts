import { assertNever } from '../../domain/assert-never.ts';
import type { AgentVerdict, RuleTrace, Selection } from '../../domain/routing/types.ts';
import { arithmeticOf } from './arithmetic-text.ts';
import type { Names } from './explain-text.ts';
import { verdictText } from './verdict-text.ts';
import { tableText } from '../text.ts';

/** Who could take the lead under a rule, who was left out and why, and the arithmetic of the choice. */
export function agentsText(rule: RuleTrace, names: Names): string[] {
  switch (rule.outcome) {
    case 'chosen':
      return selectionText(rule.name, rule.selection, names);
    case 'exhausted':
      return leftOutText(rule.name, rule.agents, names);
    case 'not_matched':
    case 'not_reached':
      return [];
    default:
      return assertNever(rule);
  }
}

function selectionText(rule: string, selection: Selection, names: Names): string[] {
  const arithmetic = arithmeticOf(selection);
  if (selection.by === 'pool' || !arithmetic) return [];
  const { strategy, head, figures, note } = arithmetic;
  const rows = selection.agents.map((verdict) => [
    ...agentCells(verdict, selection.chosen, names),
    ...(figures.get(verdict.agentId) ?? head.map(() => '')),
  ]);
  const preferred = selection.preferred.map(
    (each) => `Those who fit the ${each} of the lead went first.`,
  );
  const title = `Agents of '${rule}', by ${strategy}:`;
  return [title, tableText(['agent', '', ...head], rows), note, ...preferred];
}

function leftOutText(rule: string, agents: readonly AgentVerdict[], names: Names): string[] {
  if (agents.length === 0) return [];
  const rows = agents.map((verdict) => agentCells(verdict, null, names));
  return [`Agents of '${rule}':`, tableText(['agent', ''], rows)];
}

function agentCells(verdict: AgentVerdict, chosen: string | null, names: Names): string[] {
  return [names.get(verdict.agentId) ?? verdict.agentId, verdictText(verdict, chosen)];
}
