import type { BudgetRange } from './lead-facts.ts';

/** Both ends as stated, for the explanation; empty when the lead states no budget. */
export function statedBudget({ min, max }: BudgetRange): readonly (number | null)[] {
  return min === null && max === null ? [] : [min, max];
}

/**
 * Whether the lead's budget and the rule's range share an amount, both ends included.
 *
 * A lead with one bound is read as that one amount: a quiz answer of a single number fills only
 * `budgetMax` and a listing's price only `budgetMin`. Read as half-open, "2 million" would match a
 * rule for budgets up to 500,000.
 */
export function budgetInRange(
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
