import { assertNever } from '../../domain/assert-never.ts';
import type {
  FailedCondition,
  OnExhausted,
  RuleTrace,
  Selection,
} from '../../domain/routing/types.ts';
import type { Names } from './explain-text.ts';

/** Why a rule came out as it did, in the words of whoever wrote the rule. */
export function ruleWhy(rule: RuleTrace, names: Names): string {
  switch (rule.outcome) {
    case 'not_matched':
      return rule.failed.map((each) => failedText(each, names)).join('\nor ');
    case 'exhausted':
      return `${rule.why}; ${thenText(rule.then, names)}`;
    case 'chosen':
      return `${selectionText(rule.selection, names)}: ${rule.why}`;
    case 'not_reached':
      return '';
    default:
      return assertNever(rule);
  }
}

function failedText({ field, op, wanted, found }: FailedCondition, names: Names): string {
  return `${field}: wanted ${wantedText(op, wanted, names)}, found ${foundText(found, names)}`;
}

/** The two ends of a budget are kept apart, everything else is a list. */
export function wantedText(
  op: FailedCondition['op'],
  wanted: FailedCondition['wanted'],
  names: Names,
): string {
  const list = [...new Set(wanted.map((value) => nameOf(value, names)))].join(', ');
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
  if (to === null) return `at least ${amountText(from)}`;
  return from === null ? `at most ${amountText(to)}` : `${amountText(from)} to ${amountText(to)}`;
}

function amountText(amount: FailedCondition['wanted'][number]): string {
  return Number(amount).toLocaleString('en-US');
}

function foundText(found: FailedCondition['found'], names: Names): string {
  const present = found.filter((value) => value !== null);
  return present.length === 0 ? 'nothing' : present.map((each) => nameOf(each, names)).join(', ');
}

function nameOf(value: FailedCondition['found'][number], names: Names): string {
  if (typeof value === 'number') return amountText(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? 'nothing' : (names.get(value) ?? value);
}

function thenText(then: OnExhausted | null, names: Names): string {
  if (then === null) return 'it stays';
  switch (then.kind) {
    case 'next':
      return 'on to the next rule';
    case 'pool':
      return `left in pool ${names.get(then.poolId) ?? then.poolId}`;
    case 'unassigned':
      return 'left unassigned';
    default:
      return assertNever(then);
  }
}

function selectionText(selection: Selection, names: Names): string {
  return selection.by === 'pool'
    ? `pool ${names.get(selection.poolId) ?? selection.poolId}`
    : (names.get(selection.chosen) ?? selection.chosen);
}
