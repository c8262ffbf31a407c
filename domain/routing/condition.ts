import { assertNever } from '../assert-never.ts';
import { lookupKey } from '../catalogue/lookups/lookup-list.ts';
import type { Condition, ConditionField, ValueField } from './condition-schema.ts';
import type { FactValue } from './explanation.ts';
import type { BudgetRange, LeadFacts } from './lead-facts.ts';

/** A field that the lead lacks meets no wish for a value, `notIn` included, unless the rule says `pass`. */
export function holds(condition: Condition, facts: LeadFacts): boolean {
  const isPresent = factFound(condition.field, facts).length > 0;
  if (!isPresent && condition.onMissing === 'pass') return true;
  if (condition.op === 'exists') return condition.values.includes(isPresent);
  return isPresent && matches(condition, facts);
}

/** What the lead has in a field, as an explanation shows it; empty when it lacks the field. */
export function factFound(field: ConditionField, facts: LeadFacts): readonly FactValue[] {
  if (field !== 'budget') return valuesOf(field, facts);
  const { min, max } = facts.budget;
  return min === null && max === null ? [] : [min, max];
}

function matches(condition: Exclude<Condition, { op: 'exists' }>, facts: LeadFacts): boolean {
  switch (condition.op) {
    case 'in':
    case 'notIn':
      return (
        isAnyIn(condition.values, valuesOf(condition.field, facts)) === (condition.op === 'in')
      );
    case 'within':
      return facts.location.some(({ id, ancestorIds }) =>
        isAnyIn(condition.values, [id, ...ancestorIds]),
      );
    case 'between':
      return budgetInRange(facts.budget, condition.values);
    default:
      return assertNever(condition);
  }
}

function valuesOf(field: ValueField, facts: LeadFacts): readonly (string | boolean)[] {
  if (field === 'location') return facts.location.map(({ id }) => id);
  // Facts that were stored before there was the field do not have it.
  const value: LeadFacts[typeof field] | undefined = facts[field];
  return value === null || value === undefined ? [] : [value].flat();
}

/** Of the values of conditions, which never change: a past month's leads meet the same conditions. */
const KEYS = new WeakMap<readonly unknown[], ReadonlySet<string>>();

function isAnyIn(wanted: readonly (string | boolean)[], found: readonly (string | boolean)[]) {
  const keys = KEYS.get(wanted) ?? new Set(wanted.map((value) => lookupKey(String(value))));
  KEYS.set(wanted, keys);
  return found.some((value) => keys.has(lookupKey(String(value))));
}

/**
 * Whether the lead's budget and the rule's range share an amount, both ends included.
 *
 * A lead with one bound is read as that one amount: a quiz answer of a single number fills only
 * `budgetMax` and a listing's price only `budgetMin`. Read as half-open, "2 million" would match a
 * rule for budgets up to 500,000.
 */
function budgetInRange(
  { min, max }: BudgetRange,
  [from, to]: readonly [number | null, number | null],
): boolean {
  const one = min ?? max;
  const other = max ?? min;
  if (one === null || other === null) return false;
  const lowest = Math.min(one, other);
  const highest = Math.max(one, other);
  return (from === null || highest >= from) && (to === null || lowest <= to);
}
