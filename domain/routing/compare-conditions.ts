import { FIELD_KINDS, holds, type Condition, type LeadFacts } from './condition.ts';

export type Places = ReadonlyMap<unknown, readonly string[]>;

export function implies(held: Condition, wanted: Condition, places: Places): boolean {
  if (held.field !== wanted.field || (allowsMissing(held) && !allowsMissing(wanted))) return false;
  if (asksForMissing(held)) return true;
  if (wanted.op === 'exists') return !asksForMissing(wanted);
  if (held.op === 'notIn' && wanted.op === 'notIn')
    return leadsOf({ ...wanted, op: 'in' }, places).every((lead) => !holds(held, lead));
  if (wanted.op === 'in' && held.op === 'within') return false;
  if (wanted.op === 'notIn' && ['list', 'places'].includes(FIELD_KINDS[wanted.field])) return false;
  const leads = leadsOf(held, places);
  return leads.length > 0 && leads.every((lead) => holds(wanted, lead));
}

/** No lead meets all conditions of this field, unless it has two locations or a range of amounts. */
export function findContraryField(conditions: readonly Condition[], places: Places) {
  const byField = [...Map.groupBy(conditions, ({ field }) => field)];
  return byField.find(([field, all]) => areContrary(FIELD_KINDS[field], all, places))?.[0];
}

function areContrary(kind: string, all: readonly Condition[], places: Places): boolean {
  if (all.every(allowsMissing)) return false;
  if (all.some(asksForMissing)) return true;
  const leads = all.map((each) => leadsOf(each, places));
  const asked = (kind === 'list' ? leads : [leads.flat()]).filter(({ length }) => length > 0);
  const met = kind === 'list' ? all.filter(({ op }) => op === 'notIn') : all;
  return asked.some((each) => !each.some((lead) => met.every((other) => holds(other, lead))));
}

const asksForMissing = (each: Condition) => each.op === 'exists' && each.values.includes(false);
const allowsMissing = (each: Condition) => each.onMissing === 'pass' || asksForMissing(each);

function leadsOf(condition: Condition, places: Places): LeadFacts[] {
  const { field, op, values } = condition;
  if (op === 'notIn' || op === 'exists') return [];
  const place = (id: unknown) => [{ id, ancestorIds: places.get(id) ?? [] }];
  const found =
    op === 'between'
      ? [values[0] ?? 0, values[1] ?? Infinity].map((amount) => ({ min: amount, max: amount }))
      : values.map((id) => (field === 'location' ? place(id) : id));
  return found.map((value) => ({ [field]: value }) as unknown as LeadFacts);
}
