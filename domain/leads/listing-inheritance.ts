import type { Entry, LookupList } from '../catalogue/lookups/lookup-list.ts';
import type { Columns } from './columns.ts';

/** A listing as intake reads it; `price` is a decimal text. */
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

/**
 * What a listing offers to the columns that the payload left empty (Listing inheritance). The location
 * is the lead's own, never the area of interest, and budgetMax is never derived.
 */
export function inheritedColumns(
  listing: Listing,
  columns: Columns,
  leadTypes: LookupList<Entry>,
): Columns {
  const leadType = leadTypes.resolve(leadTypeOf(listing));
  return {
    lead_type_id: leadType.kind === 'matched' ? leadType.entry.id : null,
    ...columnsOfListing(listing),
    developer_id: listing.developerId,
    property_type_interest_id: listing.propertyTypeId,
    currency_id: listing.currency,
    budget_min: budgetFrom(listing, columns.budget_max),
  };
}

/** What only a listing says of a lead, and which goes with it when an update names another one. */
export function columnsOfListing({ locationId, bedrooms }: Listing): Columns {
  return { location_id: locationId, bedrooms };
}

function leadTypeOf(listing: Listing): string {
  if (listing.purpose === 'rent') return 'Tenant';
  return listing.market === 'primary' ? 'Primary Buyer' : 'Secondary Buyer';
}

/** The price, unless on application or above the budget that the enquiry names. */
function budgetFrom(listing: Listing, budgetMax: Columns[string] | undefined): string | null {
  if (listing.priceOnApplication || listing.price === null) return null;
  const exceeds = typeof budgetMax === 'string' && Number(listing.price) > Number(budgetMax);
  return exceeds ? null : listing.price;
}
