/** A project's record as SQL; its nested objects are made by the database. */

/** Outer ones, though none can be missing: Postgres leaves out those of which nothing is asked. */
export const JOINS = `
  left join locations l on l.id = p.location_id
  left join list_entries s on s.id = p.status_id
  left join developers d on d.id = p.developer_id`;

const STATUS = `jsonb_build_object('id', s.id, 'name', s.name, 'color', s.attributes ->> 'color') as status`;

export const COMPACT = `p.id, p.title, p.slug, p.campaign_type as "campaignType",
  array(select t.name from unnest(p.property_type_ids) with ordinality as i (id, at)
    join list_entries t on t.id = i.id order by i.at) as "propertyTypes",
  p.starting_price::text as "startingPrice",
  p.delivery_date::timestamp at time zone 'UTC' as "deliveryDate",
  p.brochure, p.payment_plans as "paymentPlans",
  case when d.id is not null then
    jsonb_build_object('id', d.id, 'name', d.name, 'slug', d.slug, 'logoUrl', d.logo_url) end as developer,
  jsonb_build_object('id', l.id, 'name', l.name, 'path', l.path) as location,
  coalesce(p.images -> 0, '{"url": null, "alt": null}') as image,
  ${STATUS}`;

export const FULL = `${COMPACT}, p.description, p.ownership_type as "ownershipType",
  p.stock_availability as "stockAvailability", p.latitude, p.longitude, p.amenities, p.bedrooms,
  p.images, p.created_at as "createdAt", p.updated_at as "updatedAt"`;

export const PIN = `p.id, p.title, p.slug, p.latitude, p.longitude,
  p.starting_price::text as "startingPrice", ${STATUS}`;

export const SORT_COLUMNS = {
  title: 'p.title',
  slug: 'p.slug',
  startingPrice: 'p.starting_price',
  deliveryDate: 'p.delivery_date',
  developer: 'd.name',
  location: 'l.path',
  status: 's.name',
  createdAt: 'p.created_at',
  updatedAt: 'p.updated_at',
} as const;

export type ProjectSortKey = keyof typeof SORT_COLUMNS;
export const projectSortKeys = Object.keys(SORT_COLUMNS) as ProjectSortKey[];
