import type { Reference } from '../lookup/reference.ts';
import { campaignOf, filterColumns, nameFallbacks, readAdPlatform } from './ad-platform.ts';
import type { AdPlatformBlock, CampaignKey } from './ad-platform.ts';
import { fillEmpty } from './columns.ts';
import type { Columns } from './columns.ts';
import { textOf } from './enquiry.ts';
import type { MappedFields } from '../quiz/field-mapping.ts';
import type { Enquiry, SentValue } from './enquiry.ts';
import { fieldByName } from './fields.ts';
import { inheritedColumns } from './listing-inheritance.ts';
import type { Listing } from './listing-inheritance.ts';
import { isUuid, resolveFields } from './resolve-fields.ts';
import type { Unresolved } from './resolve-fields.ts';

/** What an enquiry says about a lead's columns, in the order of precedence: sent, quiz, listing. */
export interface Assembly {
  /** What was sent, and what quiz answers stand for. */
  sent: Columns;
  /** What fills only an empty column: the ad platform's names, and what the listing hands down. */
  offered: Columns;
  unresolved: Unresolved;
  /** The fields whose value was taken, or cleared. */
  answered: readonly string[];
  listing: Listing | null;
  block: AdPlatformBlock | null;
}

export interface AssemblyFacts {
  reference: Reference;
  /** What quiz answers say about fields (quizFields). */
  quiz: MappedFields;
  /** Up to two of the listings that the id or the reference number matches. */
  listings: readonly Listing[];
  /** The block is attached to nothing when another lead holds its id (adPlatform block, 4). */
  isBlockHeld: boolean;
  /** The columns of the lead, where it exists already. */
  current?: Columns;
}

export function assemble(enquiry: Enquiry, facts: AssemblyFacts): Assembly {
  const { reference, current = {} } = facts;
  const sourceId = (current.source_id ?? null) as string | null;
  const fromFields = resolveFields(enquiry.values, reference, sourceId);
  const fromQuiz = resolveFields(quizValues(facts.quiz, reference), reference, sourceId);
  const listing = facts.listings.length === 1 ? (facts.listings[0] ?? null) : null;
  const block = facts.isBlockHeld ? null : readAdPlatform(enquiry.adPlatform);
  const sent = {
    ...fillEmpty(fromFields.columns, fromQuiz.columns),
    ...(block ? presentOnly(filterColumns(block)) : {}),
    ...listingColumn(enquiry, listing),
  };
  const known = fillEmpty(sent, current);
  const inherited = listing ? inheritedColumns(listing, known, reference.lists.leadType) : {};
  return {
    sent,
    offered: { ...(block ? nameFallbacks(block) : {}), ...inherited },
    unresolved: { ...fromFields.unresolved, ...unresolvedListing(enquiry, listing) },
    answered: [...fromFields.answered, ...answeredListing(enquiry, listing)],
    listing,
    block,
  };
}

/** Of the texts of one answer, such as its key and its label, the first that the list knows. */
function quizValues(
  { values, alternatives }: MappedFields,
  reference: Reference,
): Map<string, SentValue> {
  return new Map(
    [...values].map(([name, value]) => {
      const match = fieldByName.get(name)?.match;
      if (typeof value !== 'string' || typeof match !== 'object') return [name, value];
      const texts = [value, ...(alternatives.get(name) ?? [])];
      const list = reference.lists[match.list];
      return [name, texts.find((text) => list.resolve(text).kind === 'matched') ?? value];
    }),
  );
}

function presentOnly(columns: Columns): Columns {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null));
}

const LISTING_FIELDS = ['listingId', 'referenceNo'] as const;

/** The field that names the listing: listingId wins over referenceNo. */
function listingField(enquiry: Enquiry): (typeof LISTING_FIELDS)[number] {
  return textOf(enquiry, 'listingId') === null ? 'referenceNo' : 'listingId';
}

/** Which listings to read: by id, or by reference number in lower case. */
export function listingKey(enquiry: Enquiry): { id: string | null; referenceNo: string | null } {
  const name = listingField(enquiry);
  const value = textOf(enquiry, name)?.trim().toLowerCase() ?? null;
  if (name === 'referenceNo') return { id: null, referenceNo: value };
  return { id: value !== null && isUuid(value) ? value : null, referenceNo: null };
}

function isListingCleared(enquiry: Enquiry): boolean {
  return LISTING_FIELDS.some((name) => enquiry.values.get(name) === null);
}

function listingColumn(enquiry: Enquiry, listing: Listing | null): Columns {
  if (listing) return { listing_id: listing.id };
  const isUnnamed = textOf(enquiry, listingField(enquiry)) === null;
  return isUnnamed && isListingCleared(enquiry) ? { listing_id: null } : {};
}

function unresolvedListing(enquiry: Enquiry, listing: Listing | null): Unresolved {
  const name = listingField(enquiry);
  const value = textOf(enquiry, name);
  return listing || value === null ? {} : { [name]: value };
}

function answeredListing(enquiry: Enquiry, listing: Listing | null): string[] {
  const cleared = LISTING_FIELDS.filter((name) => enquiry.values.get(name) === null);
  return listing ? [...cleared, listingField(enquiry)] : cleared;
}

/** The advertising campaign that the enquiry names: the block's before the field (adPlatform block, 2). */
export function campaignKey(enquiry: Enquiry, block: AdPlatformBlock | null): CampaignKey | null {
  const fromBlock = block ? campaignOf(block) : null;
  const name = textOf(enquiry, 'advertisingCampaign')?.trim();
  return fromBlock ?? (name ? { platformCampaignId: null, name } : null);
}
