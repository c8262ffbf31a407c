import { holds } from './condition.ts';
import type { Condition, ConditionField } from './condition-schema.ts';
import type { LeadFacts, LeadLocation } from './lead-facts.ts';

/** A value that no condition names. */
const OTHER = '(another)';

const NO_FACTS: LeadFacts = {
  ...{ distributionType: null, source: null, funnel: null, campaign: null, developer: null },
  ...{ leadType: null, propertyType: null, currency: null, listingPurpose: null },
  ...{ listingMarket: null, marketSegment: null, agentCategory: null, country: null },
  ...{ client: null, integrationRef: null, marketingType: null, eventType: null },
  ...{ isRepeatLead: false, isAgentEnquiry: false, budget: { min: null, max: null } },
  ...{ subSource: [], language: [], location: [], excludedAgentIds: [] },
};

/** Fields that have no other values than these. */
const DOMAINS: { readonly [Field in ConditionField]?: readonly (string | boolean)[] } = {
  isRepeatLead: [false, true],
  isAgentEnquiry: [false, true],
  listingPurpose: ['sale', 'rent'],
  listingMarket: ['primary', 'secondary'],
};

export interface Wanted {
  held?: readonly Condition[];
  /** Conditions that the lead must not meet. */
  failed?: readonly Condition[];
  /** Only leads of one place and one amount count. */
  isPlain?: boolean;
}

export type LeadFinder = (wanted: Wanted) => LeadFacts | null;

/**
 * Finds a lead that meets some conditions and fails others. Null is certain: `holds` judges candidates, and a
 * field has one for every way in which its value can meet these conditions.
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

function* candidatesFor(
  field: ConditionField,
  { held, failed, isPlain }: Required<Wanted>,
  places: readonly LeadLocation[],
): Generator<Candidate> {
  const isListed = ({ op }: Condition) => op === 'in' || op === 'within';
  const isExcluded = ({ op }: Condition) => op === 'notIn';
  const listed = [...held.filter(isListed), ...failed.filter(isExcluded)];
  const wanted = listed.map(({ values }) => values.map(String));
  const [first = [OTHER]] = wanted;
  const excludes = { held: held.filter(isExcluded), failed: failed.filter(isListed) };
  const isAllowed = meets(excludes);
  if (field === 'budget') {
    yield* budgets(held, failed, isPlain);
  } else if (field === 'location') {
    for (const place of places) yield { location: [place] };
    // A lead has up to two: its own location and its area of interest.
    const allowed = places.filter((place) => listed.length > 1 && isAllowed({ location: [place] }));
    if (!isPlain)
      for (const one of allowed) for (const other of allowed) yield { location: [one, other] };
  } else if (field === 'language' || field === 'subSource') {
    const single = (value: string) => ({ [field]: [value] });
    yield* first.map(single);
    const each = wanted.flatMap((some) => some.find((value) => isAllowed(single(value))) ?? []);
    yield { [field]: [...new Set(each)] };
  } else {
    yield* (DOMAINS[field] ?? first).map((value) => ({ [field]: value }));
  }
  yield {};
}

/**
 * An amount for every bound and every gap between bounds; then from each the shortest range that reaches
 * every lower bound.
 */
function* budgets(
  held: readonly Condition[],
  failed: readonly Condition[],
  isPlain: boolean,
): Generator<Candidate> {
  const boundsOf = (all: readonly Condition[]) =>
    all.flatMap(({ op, values }) => (op === 'between' ? (values as (number | null)[]) : []));
  const bounds = boundsOf([...held, ...failed]).filter((bound) => bound !== null);
  const sorted = [...new Set([0, ...bounds])].toSorted((a, b) => a - b);
  const gaps = sorted.map((bound, at) => (bound + (sorted[at + 1] ?? bound * 2 + 2)) / 2);
  const amounts = [...bounds, ...gaps, 0];
  for (const max of amounts) yield { budget: { min: null, max } };
  if (isPlain) return;
  const lowest = held.flatMap((each) => (each.op === 'between' ? Number(each.values[0]) : []));
  for (const min of amounts) yield { budget: { min, max: Math.max(min, ...lowest) } };
}
