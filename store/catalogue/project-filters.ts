import type { Parameters } from './parameters.ts';

/** The filters that the list and the map share; all that are given must hold. */
export interface ProjectFilters {
  developerIds?: readonly string[] | undefined;
  /** What lies under a location counts as in it. */
  locationIds?: readonly string[] | undefined;
  statusIds?: readonly string[] | undefined;
  propertyTypes?: readonly string[] | undefined;
  minPrice?: string | undefined;
  maxPrice?: string | undefined;
  /** Both days are included. */
  deliveryFrom?: string | undefined;
  deliveryTo?: string | undefined;
  /** In lower case. */
  ownershipType?: readonly string[] | undefined;
  campaignType?: readonly string[] | undefined;
  stockAvailability?: readonly string[] | undefined;
}

const CONDITIONS: { readonly [Name in keyof ProjectFilters]-?: (value: string) => string } = {
  developerIds: (ids) => `p.developer_id = any (${ids}::uuid[])`,
  locationIds: (ids) => `p.location_id in (
    select id from locations where id = any (${ids}::uuid[]) or ancestor_ids && ${ids}::uuid[])`,
  statusIds: (ids) => `p.status_id = any (${ids}::uuid[])`,
  propertyTypes: (ids) => `p.property_type_ids && ${ids}::uuid[]`,
  minPrice: (price) => `p.starting_price >= ${price}::numeric`,
  maxPrice: (price) => `p.starting_price <= ${price}::numeric`,
  deliveryFrom: (day) => `p.delivery_date >= ${day}::date`,
  deliveryTo: (day) => `p.delivery_date <= ${day}::date`,
  ownershipType: (values) => `lower(p.ownership_type) = any (${values}::text[])`,
  campaignType: (values) => `lower(p.campaign_type) = any (${values}::text[])`,
  stockAvailability: (values) => `lower(p.stock_availability) = any (${values}::text[])`,
};

export function filterConditions(filters: ProjectFilters, parameters: Parameters): string[] {
  const names = Object.keys(CONDITIONS) as (keyof ProjectFilters)[];
  return [
    'p.published',
    ...names
      .filter((name) => filters[name] !== undefined)
      .map((name) => CONDITIONS[name](parameters.add(filters[name]))),
  ];
}
