import { findCode } from '../../../../domain/catalogue/dataset/references.ts';
import { currencies } from '../../../../domain/catalogue/lookups/standard-lists.ts';
import type { ImportContext } from '../import-context.ts';
import { sectionTables, toRow } from '../section-tables.ts';
import type { SectionRow } from '../section-tables.ts';
import { STAGED_IDS_SQL } from '../staged-listings.ts';
import type { StagedListing } from '../staged-listings.ts';
import { sum, upsert } from '../upsert.ts';
import type { Counts } from '../upsert.ts';
import { disableMissing } from '../write-rows.ts';

/** Writes the staged listings a batch at a time. */
export async function writeListings(context: ImportContext): Promise<Counts> {
  const table = sectionTables.listings;
  const counts: Counts[] = [];
  for await (const batch of context.listings.batches()) {
    const rows = batch.map((listing) => listingRow(context, listing));
    counts.push(await upsert(context.sql, table, rows, context.onWritten));
  }
  return { ...sum(counts), disabled: await disableMissing(context, table, STAGED_IDS_SQL) };
}

function listingRow({ ids }: ImportContext, { id, value }: StagedListing): SectionRow {
  const currency = value.currency === null ? null : findCode(currencies, value.currency);
  return { ...toRow('listings', value, id, ids), currency };
}
