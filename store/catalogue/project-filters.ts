/** The filters that the list and the map share, as conditions on their parameter; all that are given must hold. */
const CONDITIONS_SQL = {
  developerIds: `p.developer_id = any (:developerIds::uuid[])`,
  // What lies under a location counts as in it.
  locationIds: `p.location_id in (select id from locations
    where id = any (:locationIds::uuid[]) or ancestor_ids && :locationIds::uuid[])`,
  statusIds: `p.status_id = any (:statusIds::uuid[])`,
  propertyTypes: `p.property_type_ids && :propertyTypes::uuid[]`,
  minPrice: `p.starting_price >= :minPrice::numeric`,
  maxPrice: `p.starting_price <= :maxPrice::numeric`,
  deliveryFrom: `p.delivery_date >= :deliveryFrom::date`,
  deliveryTo: `p.delivery_date <= :deliveryTo::date`,
  // Their values come in lower case.
  ownershipType: `lower(p.ownership_type) = any (:ownershipType::text[])`,
  campaignType: `lower(p.campaign_type) = any (:campaignType::text[])`,
  stockAvailability: `lower(p.stock_availability) = any (:stockAvailability::text[])`,
};

type FilterName = keyof typeof CONDITIONS_SQL;
export type ProjectFilters = Partial<Record<FilterName, string | readonly string[] | undefined>>;

export function filterConditions(filters: ProjectFilters): string[] {
  const names = Object.keys(CONDITIONS_SQL) as FilterName[];
  const given = names.filter((name) => filters[name] !== undefined);
  return ['p.published', ...given.map((name) => CONDITIONS_SQL[name])];
}

export interface Box {
  north: number;
  south: number;
  east: number;
  west: number;
}

const FULL_TURN = 360;

/** The points in a box, its edges included. With `west` beyond `east` it crosses the date line. */
export function boxCondition(box: Box): { where: string; values: Box } {
  const latitude = 'p.latitude between :south::float8 and :north::float8';
  if (box.east - box.west >= FULL_TURN)
    return { where: `${latitude} and p.longitude is not null`, values: box };
  const [west, east] = [normaliseLongitude(box.west), normaliseLongitude(box.east)];
  const operator = west <= east ? 'and' : 'or';
  const longitude = `(p.longitude >= :west::float8 ${operator} p.longitude <= :east::float8)`;
  return { where: `${latitude} and ${longitude}`, values: { ...box, west, east } };
}

/** A map that was dragged round the globe counts on beyond 180 degrees. */
function normaliseLongitude(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return ((((longitude + 180) % FULL_TURN) + FULL_TURN) % FULL_TURN) - 180;
}
