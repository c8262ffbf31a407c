import { assertNever } from '../assert-never.ts';
import {
  FIELD_KINDS,
  holds,
  type Condition,
  type ConditionField,
  type FactOf,
  type BudgetRange,
  type LeadFacts,
  type LeadLocation,
} from './condition.ts';

/** A value that no condition names. */
const OTHER = '(another)';

/** What a lead without details has in the fields of each kind. An example shows its fields in this order. */
const NOTHING: FactOf = {
  text: null,
  flag: false,
  range: { min: null, max: null },
  list: [],
  places: [],
};

const fields = Object.entries(FIELD_KINDS);

export const NO_FACTS = {
  distributionType: null,
  ...Object.fromEntries(
    Object.entries(NOTHING).flatMap(([kind, nothing]) =>
      fields.filter(([, of]) => of === kind).map(([field]) => [field, nothing]),
    ),
  ),
  excludedAgentIds: [],
} as unknown as LeadFacts;

interface Wanted {
  held?: readonly Condition[];
  /** Conditions that the lead must not meet. */
  failed?: readonly Condition[];
  /** Whether only leads with one place and one amount count. */
  isPlain?: boolean;
}

export type LeadFinder = (wanted: Wanted) => LeadFacts | null;

/**
 * Invents a lead that meets some conditions and fails others. Null means that there is none: `holds` judges the candidates,
 * and each field has one for every way in which its value can meet these conditions.
 */
export function createLeadFinder(
  conditions: readonly Condition[],
  locations: readonly LeadLocation[],
): LeadFinder {
  const onPlaces = conditions.filter(({ field }) => field === 'location');
  const outcomes = (place: LeadLocation) => {
    const facts = { ...NO_FACTS, location: [place] };
    return onPlaces.map((each) => Number(holds(each, facts))).join('');
  };
  const all = [...locations, { id: OTHER, ancestorIds: [] }];
  const places = [...new Map(all.map((place) => [outcomes(place), place])).values()].toReversed();
  return ({ held = [], failed = [], isPlain = false }) => {
    const lead = { ...NO_FACTS };
    for (const field of new Set([...held, ...failed].map((each) => each.field))) {
      const isOfField = (each: Condition) => each.field === field;
      const literals = { held: held.filter(isOfField), failed: failed.filter(isOfField), isPlain };
      const found = findFirst(candidatesFor(field, literals, places), meets(literals));
      if (!found) return null;
      Object.assign(lead, found);
    }
    return lead;
  };
}

type Candidate = Partial<LeadFacts>;

function meets({ held = [], failed = [] }: Wanted) {
  return (candidate: Candidate): boolean => {
    const facts = { ...NO_FACTS, ...candidate };
    return held.every((each) => holds(each, facts)) && !failed.some((each) => holds(each, facts));
  };
}

function findFirst<T>(values: Iterable<T>, isWanted: (value: T) => boolean): T | null {
  for (const value of values) if (isWanted(value)) return value;
  return null;
}

/** How the values of a field decide whether a condition holds. */
type Need =
  /** One of these, or a place in one of these. */
  | { kind: 'one_of'; values: readonly (string | boolean)[] }
  | { kind: 'none_of'; values: readonly (string | boolean)[] }
  | { kind: 'range'; from: number | null; to: number | null }
  | { kind: 'presence' };

export function needOf(condition: Condition): Need {
  switch (condition.op) {
    case 'in':
    case 'within':
      return { kind: 'one_of', values: condition.values };
    case 'notIn':
      return { kind: 'none_of', values: condition.values };
    case 'between': {
      const [from, to] = condition.values;
      return { kind: 'range', from, to };
    }
    case 'exists':
      return { kind: 'presence' };
    default:
      return assertNever(condition);
  }
}

function needs<Kind extends Need['kind']>(kind: Kind, conditions: readonly Condition[]) {
  return conditions.map(needOf).filter((need) => need.kind === kind) as Extract<
    Need,
    { kind: Kind }
  >[];
}

/** The conditions on one field. */
interface Asked extends Required<Wanted> {
  places: readonly LeadLocation[];
  /** The values of each condition that asks for one of several. */
  listed: readonly (readonly string[])[];
  /** Whether no condition excludes the value. */
  isAllowed: (value: unknown) => boolean;
}

/** The values that a lead may have in a field of each kind, as far as conditions tell them apart. */
const CANDIDATES: { readonly [Kind in keyof FactOf]: (asked: Asked) => Iterable<FactOf[Kind]> } = {
  text: ({ listed: [first = [OTHER]] }) => first,
  list: lists,
  flag: () => [false, true],
  places: locationPairs,
  range: budgets,
};

/** The only values that a lead has in some fields. */
const FIXED: { readonly [Field in ConditionField]?: readonly string[] } = {
  listingPurpose: ['sale', 'rent'],
  listingMarket: ['primary', 'secondary'],
};

function* candidatesFor(
  field: ConditionField,
  wanted: Required<Wanted>,
  places: readonly LeadLocation[],
): Generator<Candidate> {
  const { held, failed } = wanted;
  const isListed = (each: Condition) => needOf(each).kind === 'one_of';
  const isExcluded = (each: Condition) => needOf(each).kind === 'none_of';
  const isMet = meets({ held: held.filter(isExcluded), failed: failed.filter(isListed) });
  const asked = [...needs('one_of', held), ...needs('none_of', failed)];
  const listed = asked.map(({ values }) => values.map(String));
  const isAllowed = (value: unknown) => isMet({ [field]: value });
  const candidates = CANDIDATES[FIELD_KINDS[field]];
  for (const value of FIXED[field] ?? candidates({ ...wanted, places, listed, isAllowed }))
    yield { [field]: value };
  yield {};
}

function* lists({ listed, isAllowed }: Asked): Generator<readonly string[]> {
  const [first = [OTHER]] = listed;
  yield* first.map((value) => [value]);
  const each = listed.flatMap((values) => values.find((value) => isAllowed([value])) ?? []);
  yield [...new Set(each)];
}

/** A lead has up to two: its own location and its area of interest. */
function* locationPairs({ places, listed, isPlain, isAllowed }: Asked): Generator<LeadLocation[]> {
  for (const place of places) yield [place];
  if (isPlain || listed.length < 2) return;
  const allowed = places.filter((place) => isAllowed([place]));
  for (const one of allowed) for (const other of allowed) yield [one, other];
}

/**
 * Yields an amount for every bound and every gap between bounds, then from each the shortest range that reaches every
 * lower bound.
 */
function* budgets({ held, failed, isPlain }: Asked): Generator<BudgetRange> {
  const ranges = needs('range', [...held, ...failed]);
  const bounds = ranges.flatMap(({ from, to }) => [from, to]).filter((bound) => bound !== null);
  const sorted = [...new Set([0, ...bounds])].toSorted((a, b) => a - b);
  const gaps = sorted.map((bound, at) => (bound + (sorted[at + 1] ?? bound * 2 + 2)) / 2);
  const amounts = [...bounds, ...gaps, 0];
  for (const max of amounts) yield { min: null, max };
  if (isPlain) return;
  const lowest = needs('range', held).map(({ from }) => from ?? 0);
  for (const min of amounts) yield { min, max: Math.max(min, ...lowest) };
}
