import type { Reference } from '../catalogue/lookups/reference.ts';
import { filterColumns, nameFallbacks, type AdPlatformBlock } from './ad-platform.ts';
import { fillEmpty, isEmptyColumn, type Columns } from './columns.ts';
import type { Enquiry, SentQuiz, SentValue } from './enquiry.ts';
import { fieldByName } from './fields.ts';
import {
  columnsOfListing,
  inheritedColumns,
  namedListing,
  withdrawnColumns,
  type Listing,
} from './listing-inheritance.ts';
import { inferredCountry } from './locale-country.ts';
import {
  linkedSubSources,
  resolveFields,
  resolvedSource,
  type Resolution,
  type Unresolved,
} from './lookup-semantics.ts';
import { nullsBesideTwin, settersAfter, withTwin } from './twins.ts';

/** A create starts from empty columns, a merged enquiry fills empty ones, an update overwrites. */
export type EnquiryKind = 'create' | 'merge' | 'update';

/** The columns that an enquiry gives a lead, in the order of precedence: sent, quiz, listing. */
export interface LeadColumns {
  columns: Columns;
  unresolved: Unresolved;
  /** The fields whose value was taken or cleared. */
  answered: readonly string[];
  listing: Listing | null;
}

export interface LeadColumnsFacts {
  kind: EnquiryKind;
  reference: Reference;
  /** The lead's current columns; empty on create. */
  current: Columns;
  /** At most two of the listings that the id or the reference number matches: two resolve nothing. */
  listings: readonly Listing[];
  /** What the lead's present listing hands down; null without one. */
  currentListing: Pick<Listing, 'locationId' | 'bedrooms'> | null;
  /** The ad platform's block, unless it is attached to a lead already. */
  block: AdPlatformBlock | null;
  advertisingCampaignId: string | null;
}

export function buildColumns(enquiry: Enquiry, facts: LeadColumnsFacts): LeadColumns {
  const { kind, reference, current, block, advertisingCampaignId } = facts;
  const sourceId = sourceOfSubSources(enquiry, facts);
  const heldByTwin = nullsBesideTwin(enquiry, current);
  const values = new Map([...enquiry.values].filter(([name]) => !heldByTwin.includes(name)));
  const sent = resolveFields(values, reference, sourceId);
  const fromQuiz = resolveFields(quizValues(enquiry.quiz, reference), reference, sourceId);
  const named = namedListing(enquiry);
  const listing = named && facts.listings.length === 1 ? (facts.listings[0] ?? null) : null;
  const offer = offerTo(sent.columns);
  const ownColumns: Columns = {
    ...offer(sent.columns, fromQuiz.columns),
    ...(block ? filterColumns(block) : {}),
    ...(advertisingCampaignId ? { advertising_campaign_id: advertisingCampaignId } : {}),
    ...(listing ? { listing_id: listing.id } : {}),
  };
  const started = kind === 'merge' ? fillEmpty(current, ownColumns) : { ...current, ...ownColumns };
  const columns = offer(started, {
    ...(block ? nameFallbacks(block) : {}),
    ...inferredCountry(enquiry, reference),
    lead_middle_name: ownColumns.lead_second_name ?? null,
  });
  const inherited = listing ? inheritedColumns(listing, columns, reference.lists.leadType) : {};
  const filled = offer(columns, inherited);
  const matched = sent.answered.filter((name) => values.get(name) !== null);
  const resolved = named && listing ? [...matched, named.field] : matched;
  return {
    columns: {
      ...filled,
      ...(kind === 'update' ? dependentColumns(filled, facts, { listing, sent }) : {}),
      ...settersAfter(filled, { kind, current, setters: [...resolved, ...fromQuiz.answered] }),
    },
    // Only a sent field is reported; an unmatched quiz answer stays with its quiz.
    unresolved:
      named && !listing && enquiry.values.has(named.field)
        ? { ...sent.unresolved, [named.field]: named.text }
        : sent.unresolved,
    answered: [...sent.answered, ...heldByTwin, ...resolved.flatMap((name) => withTwin(name))],
    listing,
  };
}

/** What follows an update that names or clears another column: a new listing's own, a former listing's or source's. */
function dependentColumns(
  columns: Columns,
  { reference, current, currentListing }: LeadColumnsFacts,
  { listing, sent }: { listing: Listing | null; sent: Resolution },
): Columns {
  const dependent: Columns = {};
  if (listing && listing.id !== current.listing_id)
    Object.assign(dependent, columnsOfListing(listing));
  if (currentListing && isEmptyColumn(columns.listing_id))
    Object.assign(dependent, withdrawnColumns(currentListing, columns));
  if (!('sub_source_ids' in sent.columns))
    dependent.sub_source_ids = linkedSubSources(current, reference, sourceIdOf(columns));
  return dependent;
}

/**
 * The source that sub-sources must be linked to. A merged enquiry from another source does not change the
 * lead's source, so none of that source's sub-sources resolve.
 */
function sourceOfSubSources(
  enquiry: Enquiry,
  { kind, reference, current }: LeadColumnsFacts,
): string | null {
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

/** Of the texts of one answer, such as its key and its label, the first that matches in the list. */
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
