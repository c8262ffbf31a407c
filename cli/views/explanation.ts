import { assertNever } from '../../domain/assert-never.ts';
import type { FailedCondition } from '../../domain/routing/condition.ts';
import type {
  CreditStep,
  Explanation,
  Load,
  RuleTrace,
  Selection,
  Wait,
} from '../../domain/routing/decision.ts';
import type { AgentVerdict, ExclusionReason } from '../../domain/routing/eligibility.ts';
import type { Leave } from '../../domain/routing/rules.ts';
import type { AssignmentEntry } from '../../store/assignment/read-assignment.ts';
import { tableText } from '../table.ts';
import { figure, nameOf, poolText, timeText, withLocalTimes, type Names } from '../text.ts';

export function decisionsText(decisions: readonly AssignmentEntry[], names: Names): string {
  if (decisions.length === 0) return 'Nothing was decided yet.';
  return decisions.map((each) => decisionText(each, names)).join('\n\n');
}

function decisionText(entry: AssignmentEntry, names: Names): string {
  const { round, move, decidedAt, rulesetVersion, explanation, handOver, reason } = entry;
  const ruleset = rulesetVersion === null ? '' : `, ruleset ${rulesetVersion}`;
  const moved = move === 0 ? '' : `, move ${move}`;
  return [
    `Round ${round}${moved}: ${outcomeText(entry)}  (${timeText(decidedAt)}${ruleset})`,
    ...(handOver ? [`By ${authorText(handOver)}`] : []),
    ...(explanation ? explanationLines(explanation, names) : [reasonText(reason)]),
  ].join('\n');
}

/** Converts times to local time and codes to words. */
export function reasonText(text: string): string {
  const words = `left out: ${EXCLUSIONS.taken_by_operator}`;
  return withLocalTimes(text).replaceAll(/(?<=\d )taken by operator(?=[,)])/g, words);
}

/** "operator noor: she left" */
export function authorText({
  author,
  reason,
  isUndo,
}: NonNullable<AssignmentEntry['handOver']>): string {
  const undone = isUndo ? ', taking back the hand-over before' : '';
  return `operator ${author}${undone}${reason === null ? '' : `: ${reason}`}`;
}

type Outcome = Pick<AssignmentEntry, 'status' | 'agent' | 'previousAgent' | 'pool'>;

export function outcomeText({ status, agent, previousAgent, pool }: Outcome): string {
  const after = previousAgent ? `, after ${previousAgent}` : '';
  switch (status) {
    case 'assigned':
      return `${agent ?? 'an agent'}${after}`;
    case 'pool':
      return `pool ${pool ?? ''}`.trim() + after;
    case 'unassigned':
      return `nobody${after}`;
    case 'waiting':
      return 'waits for an agent';
    default:
      return assertNever(status);
  }
}

export function explanationLines({ rules }: Explanation, names: Names): string[] {
  if (rules.length === 0) return ['There was no rule to try.'];
  return [
    ...rules.map((rule) => ruleText(rule, names)),
    ...rules.flatMap((rule) => candidatesLines(rule, names)),
  ];
}

function ruleText(rule: RuleTrace, names: Names): string {
  const { order, name, claimed, outcome } = rule;
  const why = whyText(rule, names);
  const rest = why && `: ${why}`;
  return `${order}  ${name}${claimed ? ' (claims the lead)' : ''} ${OUTCOMES[outcome]}${rest}`;
}

const OUTCOMES: Record<RuleTrace['outcome'], string> = {
  chosen: 'took it',
  exhausted: 'found nobody',
  waiting: 'waits',
  not_matched: 'did not match',
  not_reached: 'not reached',
};

function whyText(rule: RuleTrace, names: Names): string {
  switch (rule.outcome) {
    case 'not_matched':
      return rule.failed.map((each) => failedText(each, names)).join(', or ');
    case 'exhausted':
      return `${rule.why}; ${exhaustedText(rule.then, names)}`;
    case 'waiting':
      return `${rule.why}; ${waitText(rule, names)}`;
    case 'chosen':
      return rule.selection.by === 'pool'
        ? `${poolText(rule.selection.poolId, names)}: ${rule.why}`
        : `${nameOf(rule.selection.chosen, names)}: ${rule.why}`;
    case 'not_reached':
      return '';
    default:
      return assertNever(rule);
  }
}

function failedText({ field, op, wanted, found }: FailedCondition, names: Names): string {
  const present = found.filter((value) => value !== null).map((each) => factText(each, names));
  const foundText = present.length === 0 ? 'nothing' : present.join(', ');
  return `${field}: wanted ${wantedText(op, wanted, names)}, found ${foundText}`;
}

type Fact = FailedCondition['found'][number];

function factText(value: Fact, names: Names): string {
  if (typeof value === 'number') return figure(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? 'nothing' : nameOf(value, names);
}

export function wantedText(
  op: FailedCondition['op'],
  wanted: FailedCondition['wanted'],
  names: Names,
): string {
  const list = [...new Set(wanted.map((value) => factText(value, names)))].join(', ');
  switch (op) {
    case 'in':
      return list;
    case 'notIn':
      return `none of ${list}`;
    case 'within':
      return `within ${list}`;
    case 'between':
      return rangeText(wanted);
    case 'exists':
      return wanted.includes(false) ? 'none' : 'any';
    default:
      return assertNever(op);
  }
}

function rangeText([from = null, to = null]: FailedCondition['wanted']): string {
  if (to === null) return `at least ${figure(Number(from))}`;
  return from === null
    ? `at most ${figure(Number(to))}`
    : `${figure(Number(from))} to ${figure(Number(to))}`;
}

function exhaustedText(then: Leave | null, names: Names): string {
  if (then === null) return 'it stays';
  switch (then.kind) {
    case 'next':
      return 'on to the next rule';
    case 'pool':
      return `left in ${poolText(then.poolId, names)}`;
    case 'unassigned':
      return 'left unassigned';
    default:
      return assertNever(then);
  }
}

function waitText({ awaited, dueAt, endsAt }: Wait, names: Names): string {
  if (awaited.length === 0) return `waits to the end, ${timeText(dueAt)}`;
  const whom = awaited.map((id) => nameOf(id, names)).join(', ');
  return `waits for ${whom} until ${timeText(dueAt)}, at the longest until ${timeText(endsAt)}`;
}

function candidatesLines(rule: RuleTrace, names: Names): string[] {
  if (rule.outcome === 'chosen') return selectionLines(rule.name, rule.selection, names);
  return 'agents' in rule ? excludedLines(rule.name, rule.agents, names) : [];
}

function selectionLines(rule: string, selection: Selection, names: Names): string[] {
  const arithmetic = arithmeticOf(selection);
  if (selection.by === 'pool' || !arithmetic) return [];
  const { strategy, head, figures, note } = arithmetic;
  const rows = selection.agents.map((verdict) => [
    ...verdictCells(verdict, selection.chosen, names),
    ...(figures.get(verdict.agentId) ?? head.map(() => '')),
  ]);
  const preferred = selection.preferred.map((each) =>
    each === 'contactOwner'
      ? 'The agent of the customer’s newest earlier lead went first.'
      : `Those who fit the ${each} of the lead went first.`,
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
  unreadable_language: 'the language of the lead could not be read',
  language: 'does not speak the language',
  location: 'does not cover the place',
  not_contact_owner: 'not the agent of the customer’s newest earlier lead',
  others_preferred_for_contactOwner: 'another agent had the customer’s newest earlier lead',
  others_preferred_for_language: 'others speak the language',
  others_preferred_for_location: 'others cover the place',
};

function arithmeticOf(selection: Selection) {
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

function rotationArithmetic(steps: readonly CreditStep[]) {
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

/** Rounds, since a sum of thirds leaves a remainder. */
function leadsText(leads: number): string {
  return String(Math.round(leads * 1000) / 1000 || 0);
}

function loadArithmetic(loads: readonly Load[]) {
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
