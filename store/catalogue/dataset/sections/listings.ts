import { findCode } from '../../../../domain/catalogue/dataset/references.ts';
import type { RecordOf } from '../../../../domain/catalogue/dataset/sections.ts';
import { currencies } from '../../../../domain/catalogue/lookups/standard-lists.ts';
import { disableMissing } from '../disable-missing.ts';
import type { ImportContext } from '../import-context.ts';
import { STAGED_IDS } from '../staged-listings.ts';
import type { StagedListings } from '../staged-listings.ts';
import { sum, upsert } from '../upsert.ts';
import type { Counts, UpsertTable } from '../upsert.ts';

const table: UpsertTable = {
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

export async function writeListings(
  context: ImportContext,
  listings: StagedListings,
): Promise<Counts> {
  const counts: Counts[] = [];
  for await (const batch of listings.batches()) {
    const rows = batch.map(({ id, value }) => listingRow(context, id, value));
    counts.push(await upsert(context.sql, table, rows, context.onWritten));
  }
  const disabled = await disableMissing(
    context,
    { table: table.name, column: 'enabled', hasUpdatedAt: true },
    STAGED_IDS,
  );
  return { ...sum(counts), disabled };
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
    currency: listing.currency === null ? null : findCode(currencies, listing.currency),
    bedrooms: listing.bedrooms,
    developer_id: developer === null ? null : ids.of('developers', developer),
    location_id: location === null ? null : ids.of('locations', location),
    property_type_id: propertyType === null ? null : ids.of('propertyTypes', propertyType),
    agent_id: agent === null ? null : ids.of('agents', agent),
    enabled: listing.enabled,
  };
}
