import { assertNever } from '../assert-never.ts';
import { lookupKey } from '../catalogue/lookups/lookup-list.ts';
import { budgetInRange, statedBudget } from './budget.ts';
import type { Condition, ConditionField, ValueField } from './condition-schema.ts';
import type { FactValue } from './explanation.ts';
import type { LeadFacts } from './lead-facts.ts';

/** A field that the lead lacks meets no wish for a value, `notIn` included, unless the rule says `pass`. */
export function holds(condition: Condition, facts: LeadFacts): boolean {
  const isPresent = factFound(condition.field, facts).length > 0;
  if (!isPresent && condition.onMissing === 'pass') return true;
  if (condition.op === 'exists') return condition.values.includes(isPresent);
  return isPresent && matches(condition, facts);
}

/** What the lead has in a field, as an explanation shows it; empty when it lacks the field. */
export function factFound(field: ConditionField, facts: LeadFacts): readonly FactValue[] {
  return field === 'budget' ? statedBudget(facts.budget) : valuesOf(field, facts);
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
  switch (field) {
    case 'location':
      return facts.location.map(({ id }) => id);
    case 'subSource':
    case 'language':
      return facts[field];
    default:
      return facts[field] === null ? [] : [facts[field]];
  }
}

function isAnyIn(wanted: readonly (string | boolean)[], found: readonly (string | boolean)[]) {
  const keys = new Set(wanted.map((value) => lookupKey(String(value))));
  return found.some((value) => keys.has(lookupKey(String(value))));
}
