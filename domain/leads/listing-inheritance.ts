import type { Entry, LookupList } from '../catalogue/lookups/lookup-list.ts';
import { type Columns, isEmptyColumn } from './fields.ts';

export interface Listing {
  id: string;
  referenceNo: string;
  purpose: 'sale' | 'rent';
  market: 'primary' | 'secondary';
  price: string | null;
  priceOnApplication: boolean;
  currency: string | null;
  bedrooms: string | null;
  developerId: string | null;
  locationId: string | null;
  propertyTypeId: string | null;
  agentId: string | null;
}

/** The location is never the area of interest, and budgetMax is never derived. */
export function inheritedColumns(
  listing: Listing,
  columns: Columns,
  leadTypes: LookupList<Entry>,
): Columns {
  const leadType = leadTypeOf(listing);
  return {
    ...columnsOfListing(listing),
    developer_id: listing.developerId,
    property_type_interest_id: listing.propertyTypeId,
    currency_id: listing.currency,
    budget_min: budgetFrom(listing, columns.budget_max),
    lead_type_id: leadTypes.resolve(leadType)?.id ?? null,
  };
}

function columnsOfListing({ locationId, bedrooms }: ListingColumns): Columns {
  return { location_id: locationId, bedrooms };
}

export type ListingColumns = Pick<Listing, 'locationId' | 'bedrooms'>;

/** A cleared listing clears the columns that still have its values. */
export function replacedColumns(
  columns: Columns,
  listing: Listing | null,
  before: { current: Columns; currentListing: ListingColumns | null },
): Columns {
  const { current, currentListing } = before;
  if (listing) return listing.id === current.listing_id ? {} : columnsOfListing(listing);
  if (!currentListing || !isEmptyColumn(columns.listing_id)) return {};
  const inherited = Object.entries(columnsOfListing(currentListing));
  const unchanged = inherited.filter(([column, value]) => columns[column] === value);
  return Object.fromEntries(unchanged.map(([column]) => [column, null]));
}

function leadTypeOf(listing: Listing): string {
  if (listing.purpose === 'rent') return 'Tenant';
  return listing.market === 'primary' ? 'Primary Buyer' : 'Secondary Buyer';
}

function budgetFrom(listing: Listing, budgetMax: Columns[string] | undefined): string | null {
  if (listing.priceOnApplication || listing.price === null) return null;
  const exceeds = typeof budgetMax === 'string' && Number(listing.price) > Number(budgetMax);
  return exceeds ? null : listing.price;
}
