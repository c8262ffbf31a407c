import { assertNever } from '../../domain/assert-never.ts';
import type { Explanation, RuleTrace, Selection, Wait } from '../../domain/routing/decision.ts';
import type { FailedCondition } from '../../domain/routing/condition.ts';
import type { Leave } from '../../domain/routing/rules.ts';
import type { AssignmentEntry } from '../../store/assignment/read-assignment.ts';
import { tableOf } from '../table.ts';
import { figure, nameOf, poolText, timeText, withLocalTimes, type Names } from '../text.ts';
import { candidatesLines } from './candidates.ts';

export function decisionsText(decisions: readonly AssignmentEntry[], names: Names): string {
  if (decisions.length === 0) return 'Nothing was decided yet.';
  return decisions.map((each) => decisionText(each, names)).join('\n\n');
}

function decisionText(entry: AssignmentEntry, names: Names): string {
  const { explanation, handOver, reason } = entry;
  const lines = explanation ? explanationLines(explanation, names) : [withLocalTimes(reason)];
  const author = handOver ? [`By ${authorText(handOver)}`] : [];
  return [headline(entry), ...author, ...lines].join('\n');
}

function headline(entry: AssignmentEntry): string {
  const { round, move, decidedAt, rulesetVersion } = entry;
  const ruleset = rulesetVersion === null ? '' : `, ruleset ${rulesetVersion}`;
  const moved = move === 0 ? '' : `, move ${move}`;
  return `Round ${round}${moved}: ${outcomeText(entry)}  (${timeText(decidedAt)}${ruleset})`;
}

/** "operator noor: she left" */
export function authorText({ author, reason }: NonNullable<AssignmentEntry['handOver']>): string {
  return `operator ${author}${reason === null ? '' : `: ${reason}`}`;
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

/** The rules in the order in which they were tried, then the candidates of each. */
export function explanationLines({ rules }: Explanation, names: Names): string[] {
  if (rules.length === 0) return ['There was no rule to try.'];
  const table = tableOf<RuleTrace>({
    order: 'order',
    rule: ({ claimed, name }) => (claimed ? `${name} (claims the lead)` : name),
    outcome: ({ outcome }) => OUTCOMES[outcome],
    why: (rule) => whyText(rule, names),
  });
  return [table(rules), ...rules.flatMap((rule) => candidatesLines(rule, names))];
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
      return rule.failed.map((each) => failedText(each, names)).join('\nor ');
    case 'exhausted':
      return `${rule.why}; ${exhaustedText(rule.then, names)}`;
    case 'waiting':
      return `${rule.why}; ${waitText(rule, names)}`;
    case 'chosen':
      return `${selectionText(rule.selection, names)}: ${rule.why}`;
    case 'not_reached':
      return '';
    default:
      return assertNever(rule);
  }
}

export function failedText({ field, op, wanted, found }: FailedCondition, names: Names): string {
  const present = found.filter((value) => value !== null).map((each) => factText(each, names));
  const foundText = present.length === 0 ? 'nothing' : present.join(', ');
  return `${field}: wanted ${wantedText(op, wanted, names)}, found ${foundText}`;
}

type Fact = FailedCondition['found'][number];

export function factText(value: Fact, names: Names): string {
  if (typeof value === 'number') return figure(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? 'nothing' : nameOf(value, names);
}

/** The values of `between` are the two ends of a range; all other values are a list. */
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

function selectionText(selection: Selection, names: Names): string {
  return selection.by === 'pool'
    ? poolText(selection.poolId, names)
    : nameOf(selection.chosen, names);
}
