import { FIELD_KINDS, holds, type Condition, type LeadFacts } from './condition.ts';

/** Each location with everything that contains it. */
export type Places = ReadonlyMap<unknown, readonly string[]>;

/** Whether every lead that meets one condition meets the other. */
export function implies(held: Condition, wanted: Condition, places: Places): boolean {
  if (held.field !== wanted.field || (allowsMissing(held) && !allowsMissing(wanted))) return false;
  if (asksForMissing(held) || JSON.stringify(held) === JSON.stringify(wanted)) return true;
  if (wanted.op === 'exists') return !asksForMissing(wanted);
  if (wanted.op === 'in' && held.op === 'within') return false;
  if (wanted.op === 'notIn' && hasSeveral(wanted)) return false;
  const leads = leadsOf(held, places);
  return leads.length > 0 && leads.every((lead) => holds(wanted, lead));
}

/** Whether no lead meets both conditions, unless it has two places or a range of amounts. */
export function isClash(one: Condition, other: Condition, places: Places): boolean {
  if (one.field !== other.field || (allowsMissing(one) && allowsMissing(other))) return false;
  if (asksForMissing(one) || asksForMissing(other)) return true;
  const [leads, others] = [leadsOf(one, places), leadsOf(other, places)];
  const isMet = leads.some((lead) => holds(other, lead)) || others.some((lead) => holds(one, lead));
  const isSecondValue = FIELD_KINDS[one.field] === 'list' && leads.length > 0 && others.length > 0;
  return leads.length + others.length > 0 && !isMet && !isSecondValue;
}

const asksForMissing = (each: Condition) => each.op === 'exists' && each.values.includes(false);
const allowsMissing = (each: Condition) => each.onMissing === 'pass' || asksForMissing(each);
const hasSeveral = ({ field }: Condition) => ['list', 'places'].includes(FIELD_KINDS[field]);

/** A lead for each value or bound that the condition asks for. */
function leadsOf(condition: Condition, places: Places): LeadFacts[] {
  const { field, op, values } = condition;
  if (op === 'notIn' || op === 'exists') return [];
  const found =
    op === 'between'
      ? [values[0] ?? 0, values[1] ?? Infinity].map((amount) => ({ min: amount, max: amount }))
      : values.map((id) =>
          field === 'location' ? [{ id, ancestorIds: places.get(id) ?? [] }] : id,
        );
  return found.map((value) => ({ [field]: value }) as unknown as LeadFacts);
}
