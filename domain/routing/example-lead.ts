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

/** How the values of a condition decide whether it holds. `one_of`: or a place within one of them. */
const NEEDS = {
  in: 'one_of',
  within: 'one_of',
  notIn: 'none_of',
  between: 'range',
  exists: 'presence',
} as const satisfies Record<Condition['op'], string>;

type OperatorOf<Need> = {
  [Op in Condition['op']]: (typeof NEEDS)[Op] extends Need ? Op : never;
}[Condition['op']];

function createFilter<const Need>(need: Need) {
  return (condition: Condition): condition is Condition & { op: OperatorOf<Need> } =>
    NEEDS[condition.op] === need;
}

export const isOneOf = createFilter('one_of');
const isNoneOf = createFilter('none_of');
const isRange = createFilter('range');

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
  const isMet = meets({ held: held.filter(isNoneOf), failed: failed.filter(isOneOf) });
  const asked = [...held.filter(isOneOf), ...failed.filter(isNoneOf)];
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
  const ranges = [...held, ...failed].filter(isRange);
  const bounds = ranges.flatMap(({ values }) => values).filter((bound) => bound !== null);
  const sorted = [...new Set([0, ...bounds])].toSorted((a, b) => a - b);
  const gaps = sorted.map((bound, at) => (bound + (sorted[at + 1] ?? bound * 2 + 2)) / 2);
  const amounts = [...bounds, ...gaps, 0];
  for (const max of amounts) yield { min: null, max };
  if (isPlain) return;
  const lowest = held.filter(isRange).map(({ values: [from] }) => from ?? 0);
  for (const min of amounts) yield { min, max: Math.max(min, ...lowest) };
}
