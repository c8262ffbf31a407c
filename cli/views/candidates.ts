import { assertNever } from '../../domain/assert-never.ts';
import type {
  AgentVerdict,
  CreditStep,
  ExclusionReason,
  Load,
  RuleTrace,
  Selection,
} from '../../domain/routing/decision.ts';
import { tableText } from '../table.ts';
import { nameOf, timeText, type Names } from '../text.ts';

/** Who could take the lead under a rule, who was left out and why, and the arithmetic of the choice. */
export function candidatesLines(rule: RuleTrace, names: Names): string[] {
  switch (rule.outcome) {
    case 'chosen':
      return selectionLines(rule.name, rule.selection, names);
    case 'exhausted':
    case 'waiting':
      return excludedLines(rule.name, rule.agents, names);
    case 'not_matched':
    case 'not_reached':
      return [];
    default:
      return assertNever(rule);
  }
}

function selectionLines(rule: string, selection: Selection, names: Names): string[] {
  const arithmetic = arithmeticOf(selection);
  if (selection.by === 'pool' || !arithmetic) return [];
  const { strategy, head, figures, note } = arithmetic;
  const rows = selection.agents.map((verdict) => [
    ...verdictCells(verdict, selection.chosen, names),
    ...(figures.get(verdict.agentId) ?? head.map(() => '')),
  ]);
  const preferred = selection.preferred.map(
    (each) => `Those who fit the ${each} of the lead went first.`,
  );
  const title = `Agents of '${rule}', by ${strategy}:`;
  return [title, tableText(['agent', '', ...head], rows), note, ...preferred];
}

function excludedLines(rule: string, agents: readonly AgentVerdict[], names: Names): string[] {
  if (agents.length === 0) return [];
  const rows = agents.map((verdict) => verdictCells(verdict, null, names));
  return [`Agents of '${rule}':`, tableText(['agent', ''], rows)];
}

function verdictCells(verdict: AgentVerdict, chosen: string | null, names: Names): string[] {
  const agent = nameOf(verdict.agentId, names);
  if (!verdict.eligible) return [agent, `left out: ${EXCLUSIONS[verdict.reason]}`];
  return [agent, verdict.agentId === chosen ? 'chosen' : 'eligible'];
}

const EXCLUSIONS: Record<ExclusionReason, string> = {
  not_in_roster: 'no such agent any more',
  inactive: 'not active',
  unknown_time_zone: 'of an unknown time zone',
  paused: 'paused',
  absent: 'absent',
  taken_by_operator: 'an operator took the lead from them',
  held_earlier_in_round: 'held the lead earlier in this round',
  daily_cap: 'has the leads of the day',
  open_cap: 'has as many open leads as allowed',
  holiday: 'a holiday',
  outside_working_hours: 'outside working hours',
  language: 'does not speak the language',
  location: 'does not cover the place',
  others_preferred_for_language: 'others speak the language',
  others_preferred_for_location: 'others cover the place',
};

/** The figures that decided between agents: a column for each, a row for each eligible agent. */
interface Arithmetic {
  strategy: string;
  head: string[];
  figures: ReadonlyMap<string, unknown[]>;
  note: string;
}

/** Null where there was nothing to choose between. */
function arithmeticOf(selection: Selection): Arithmetic | null {
  switch (selection.by) {
    case 'pool':
    case 'named_agent':
      return null;
    case 'weighted_round_robin':
      return rotationArithmetic(selection.arithmetic);
    case 'least_loaded':
      return loadArithmetic(selection.loads);
    default:
      return assertNever(selection);
  }
}

function rotationArithmetic(steps: readonly CreditStep[]): Arithmetic {
  const all = steps.reduce((sum, { weight }) => sum + weight, 0);
  return {
    strategy: 'weighted round robin',
    head: ['credit', '+ share', '= claim', 'credit after'],
    figures: new Map(
      steps.map(({ agentId, creditBefore, weight, creditAfter }) => [
        agentId,
        [creditBefore, weight / all, creditBefore + weight / all, creditAfter].map(leadsText),
      ]),
    ),
    note: `A share is the weight by ${all}, the weights of all eligible. The highest claim takes the lead and pays 1.`,
  };
}

/** Leads to three decimals; a rest of a sum of thirds is 0. */
function leadsText(leads: number): string {
  return String(Math.round(leads * 1000) / 1000 || 0);
}

function loadArithmetic(loads: readonly Load[]): Arithmetic {
  return {
    strategy: 'least loaded',
    head: ['open leads', 'today', 'last lead'],
    figures: new Map(
      loads.map(({ agentId, openLeads, assignedToday, lastAssignedAt }) => [
        agentId,
        [openLeads, assignedToday, lastAssignedAt ? timeText(lastAssignedAt) : 'never'],
      ]),
    ),
    note: 'Fewest open leads, then fewest today, then who has waited longest.',
  };
}
