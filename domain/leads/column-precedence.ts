import type { Reference } from '../catalogue/lookups/reference.ts';
import type { MappedFields } from '../quiz/field-mapping.ts';
import { type AdPlatformBlock, filterColumns, nameFallbacks } from './ad-platform.ts';
import {
  type Enquiry,
  LISTING_NAMES,
  namedListing,
  type SentQuiz,
  type SentValue,
} from './enquiry.ts';
import { type Columns, fieldByName, fillEmpty, isEmptyColumn, mayFill } from './fields.ts';
import {
  inheritedColumns,
  type Listing,
  type ListingColumns,
  replacedColumns,
} from './listing-inheritance.ts';
import {
  inferredCountry,
  linkedSubSources,
  resolvedListing,
  resolvedSource,
  resolveFields,
} from './lookup-semantics.ts';

export interface LeadColumnsFacts {
  kind: 'create' | 'merge' | 'update';
  reference: Reference;
  current: Columns;
  listings: readonly Listing[];
  currentListing: ListingColumns | null;
  supersededQuiz: MappedFields['values'];
  block: AdPlatformBlock | null;
  campaign: { id: string } | null;
}

export type LeadColumns = ReturnType<typeof buildColumns>;

/** In the order of precedence: sent, quiz, listing. */
export function buildColumns(enquiry: Enquiry, facts: LeadColumnsFacts) {
  const { kind, reference, current, block, campaign } = facts;
  const sourceId = sourceOfSubSources(enquiry, facts);
  const heldByTwin = nullsBesideTwin(enquiry, current);
  const values = new Map([...enquiry.values].filter(([name]) => !heldByTwin.includes(name)));
  const sent = resolveFields(values, reference, sourceId);
  const fromQuiz = resolveFields(quizValues(enquiry.quiz, reference), reference, sourceId);
  const named = namedListing(enquiry);
  const listing = named && resolvedListing(facts.listings);
  const offer = offerTo(sent.columns);
  const ownColumns: Columns = {
    ...offer(sent.columns, fromQuiz.columns),
    ...(block ? filterColumns(block) : {}),
    ...(campaign ? { advertising_campaign_id: campaign.id } : {}),
    ...(listing ? { listing_id: listing.id } : {}),
  };
  const started = kind === 'merge' ? ownColumns : { ...current, ...ownColumns };
  if (kind === 'update')
    Object.assign(started, openedEnds(enquiry, started, facts), formerName(current, ownColumns));
  const columns = offer(started, {
    ...(block ? nameFallbacks(block) : {}),
    ...inferredCountry(enquiry, reference),
    lead_middle_name: ownColumns.lead_second_name ?? null,
  });
  const inherited = listing ? inheritedColumns(listing, columns, reference.lists.leadType) : {};
  const filled =
    kind === 'merge' ? mergeColumns(current, columns, inherited) : offer(columns, inherited);
  const dependent =
    kind === 'update'
      ? { ...replacedColumns(filled, listing, facts), ...keptSubSources(filled, facts, ownColumns) }
      : {};
  const matched = sent.answered.filter((name) => values.get(name) !== null);
  const resolved = named && listing ? [...matched, named.field] : matched;
  const setters = settersAfter(filled, facts, [...resolved, ...fromQuiz.answered]);
  return {
    columns: { ...filled, ...dependent, ...setters },
    // An unmatched quiz answer is reported with its quiz.
    unresolved:
      named && !listing && enquiry.values.has(named.field)
        ? { ...sent.unresolved, [named.field]: named.text }
        : sent.unresolved,
    answered: [...sent.answered, ...heldByTwin, ...resolved.flatMap((name) => withTwin(name))],
    listing,
  };
}

/** Takes a listing with all that it gives, or not at all. */
function mergeColumns(current: Columns, own: Columns, inherited: Columns): Columns {
  const isFillable = (column: string) => mayFill(current, column);
  const isAdopted = ['listing_id', ...Object.keys(inherited)].every(isFillable);
  const offered = isAdopted ? fillEmpty(own, inherited) : { ...own, listing_id: null };
  const entries = Object.entries(offered).filter(([column]) => isFillable(column));
  return fillEmpty(current, Object.fromEntries(entries));
}

/** Ends of the budget that the superseded answer set, unless edited since, or that contradict the new answer. */
function openedEnds({ values, quiz }: Enquiry, started: Columns, facts: LeadColumnsFacts): Columns {
  if (!quiz) return {};
  const isContradicted = Number(started.budget_min ?? 0) > Number(started.budget_max ?? Infinity);
  const ends = quiz.fields.openEnds.flatMap((name) => {
    const column = fieldByName.get(name)?.column;
    if (!column || values.has(name)) return [];
    const superseded = facts.supersededQuiz.get(name);
    const isOpened =
      superseded === undefined
        ? isContradicted
        : Number(started[column] ?? NaN) === Number(superseded);
    return isOpened ? [[column, null]] : [];
  });
  return Object.fromEntries(ends) as Columns;
}

/** A second name that was used as the middle name is replaced there, too. */
function formerName(current: Columns, own: Columns): Columns {
  const isReplaced = !isEmptyColumn(own.lead_second_name) && !('lead_middle_name' in own);
  const isUsed = current.lead_middle_name === current.lead_second_name;
  return isReplaced && isUsed ? { lead_middle_name: null } : {};
}

/** Without sub-sources in the update, those that belong to its source. */
function keptSubSources(columns: Columns, facts: LeadColumnsFacts, own: Columns): Columns {
  if ('sub_source_ids' in own) return {};
  const { current, reference } = facts;
  return { sub_source_ids: linkedSubSources(current, reference, sourceIdOf(columns)) };
}

/** A merged enquiry does not change the lead's source, so sub-sources of another source do not resolve. */
function sourceOfSubSources(enquiry: Enquiry, facts: LeadColumnsFacts): string | null {
  const { kind, reference, current } = facts;
  const own = sourceIdOf(current);
  const named = resolvedSource(enquiry, reference, own);
  return kind === 'merge' && own !== null && named !== own ? null : named;
}

export function sourceIdOf(columns: Columns): string | null {
  return (columns.source_id ?? null) as string | null;
}

/** Fills empty columns, except those that an explicit null of the same body clears. */
function offerTo(sent: Columns): (columns: Columns, offered: Columns) => Columns {
  const isCleared = (column: string) => column in sent && isEmptyColumn(sent[column]);
  return (columns, offered) => {
    const entries = Object.entries(offered).filter(([column]) => !isCleared(column));
    return fillEmpty(columns, Object.fromEntries(entries));
  };
}

/** Takes the first text of an answer that matches in the list. */
function quizValues(quiz: SentQuiz | null, reference: Reference): Map<string, SentValue> {
  if (!quiz) return new Map();
  const { values, alternatives } = quiz.fields;
  return new Map(
    [...values].map(([name, value]) => {
      const match = fieldByName.get(name)?.match;
      if (typeof value !== 'string' || typeof match !== 'object') return [name, value];
      const texts = [value, ...(alternatives.get(name) ?? [])];
      const list = reference.lists[match.list];
      return [name, texts.find((text) => list.resolve(text)) ?? value];
    }),
  );
}

/** Two fields for one record of the CRM; the first one wins (payload table). */
interface Twins {
  names: readonly [string, string];
  column: string;
  /** The column of the field that set the record. Null if unknown, or if the listing set it. */
  setter: string;
}

const TWINS: readonly Twins[] = [
  { names: LISTING_NAMES, column: 'listing_id', setter: 'listing_set_by' },
  { names: ['developerId', 'developerName'], column: 'developer_id', setter: 'developer_set_by' },
];

export function twinOf(name: string): string | undefined {
  const names = TWINS.find((twins) => twins.names.includes(name))?.names;
  return names?.find((other) => other !== name);
}

function withTwin(name: string): string[] {
  return [name, twinOf(name) ?? []].flat();
}

/** A null clears only its flag if the twin set the lead's record. */
function nullsBesideTwin({ values }: Enquiry, current: Columns): string[] {
  return TWINS.flatMap(({ names, setter }) => {
    const nulls = names.filter((name) => values.get(name) === null);
    return nulls.length === 1 ? nulls.filter((name) => current[setter] === twinOf(name)) : [];
  });
}

function settersAfter(columns: Columns, { kind, current }: LeadColumnsFacts, setters: string[]) {
  const entries = TWINS.map(({ names, column, setter }) => {
    const [before, after] = [current[column] ?? null, columns[column] ?? null];
    const former = before === after ? (current[setter] ?? null) : null;
    const isKept = after === null || (kind === 'merge' && before !== null);
    return [setter, isKept ? former : (setters.find((name) => names.includes(name)) ?? former)];
  });
  return Object.fromEntries(entries) as Columns;
}
