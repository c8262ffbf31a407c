import type { Placed, RecordOf } from '../../../domain/dataset/sections.ts';
import { codeOf } from '../../../domain/dataset/codes.ts';
import { placeText } from '../../../domain/dataset/fault.ts';
import type { Fault } from '../../../domain/dataset/fault.ts';
import { lookupKey } from '../../../domain/lookup/lookup-list.ts';
import { currencies } from '../../../domain/lookup/standard-lists.ts';
import type { Sql } from '../../database.ts';
import { disableMissing } from '../disable-missing.ts';
import type { ImportContext } from '../import-context.ts';
import { upsert } from '../upsert.ts';
import type { Counts, Table } from '../upsert.ts';

type Listings = readonly Placed<RecordOf<'listings'>>[];

const table: Table = {
  name: 'listings',
  columns: [
    'id',
    'reference_no',
    'purpose',
    'market',
    'price',
    'price_on_application',
    'currency',
    'bedrooms',
    'developer_id',
    'location_id',
    'property_type_id',
    'agent_id',
    'enabled',
  ],
  hasUpdatedAt: true,
};

/** Reference number, in lower case, to the id of the listing that a record without an id stands for. */
export type ListingIds = ReadonlyMap<string, string>;

/**
 * Listings are matched by id, else by number among those that the file does not name by id. A number
 * that several of those have does not tell which is meant.
 */
export async function matchListings(
  sql: Sql,
  listings: Listings,
): Promise<{ matched: ListingIds; faults: Fault[] }> {
  const named = listings.flatMap(({ value }) => value.id ?? []);
  const unnamed = listings.filter(({ value }) => value.id === undefined);
  const rows = await sql.query<{ key: string; ids: string[] }>(
    `select lower(reference_no) as key, array_agg(id::text) as ids from listings
     where lower(reference_no) = any ($1) and id not in (select unnest($2::uuid[]))
     group by lower(reference_no)`,
    [unnamed.map(({ value }) => lookupKey(value.referenceNo)), named],
  );
  const found = new Map(rows.map(({ key, ids }) => [key, ids]));
  const faults = unnamed
    .filter(({ value }) => (found.get(lookupKey(value.referenceNo))?.length ?? 0) > 1)
    .map(({ index }) => ({
      place: placeText(['listings', index, 'referenceNo']),
      message: 'is that of several listings: give the id',
    }));
  const matched = new Map(rows.flatMap(({ key, ids: [id] }) => (id ? [[key, id] as const] : [])));
  return { matched, faults };
}

export async function writeListings(
  context: ImportContext,
  listings: Listings,
  matched: ListingIds,
): Promise<Counts> {
  const present: string[] = [];
  const counts = await upsert(
    context.sql,
    table,
    rowsOf(context, listings, matched, present),
    context.onWritten,
  );
  const disabled = await disableMissing(
    context,
    { table: table.name, column: 'enabled', hasUpdatedAt: true },
    present,
  );
  return { ...counts, disabled };
}

/** One at a time: all rows of a large file at once would double what it takes in memory. */
function* rowsOf(
  context: ImportContext,
  listings: Listings,
  matched: ListingIds,
  present: string[],
) {
  for (const { value } of listings) {
    const id = value.id ?? matched.get(lookupKey(value.referenceNo)) ?? context.newId();
    present.push(id);
    yield listingRow(context, id, value);
  }
}

function listingRow({ ids }: ImportContext, id: string, listing: RecordOf<'listings'>) {
  const { developer, location, propertyType, agent } = listing;
  return {
    id,
    reference_no: listing.referenceNo,
    purpose: listing.purpose,
    market: listing.market,
    price: listing.price,
    price_on_application: listing.priceOnApplication,
    currency: listing.currency === null ? null : codeOf(currencies, listing.currency),
    bedrooms: listing.bedrooms,
    developer_id: developer === null ? null : ids.of('developers', developer),
    location_id: location === null ? null : ids.of('locations', location),
    property_type_id: propertyType === null ? null : ids.of('propertyTypes', propertyType),
    agent_id: agent === null ? null : ids.of('agents', agent),
    enabled: listing.enabled,
  };
}
