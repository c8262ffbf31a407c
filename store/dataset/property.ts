import * as z from 'zod';
import { lookupKey } from '../../domain/catalogue/lookups/lookup-list.ts';
import { currencies } from '../../domain/catalogue/lookups/standard-lists.ts';
import { plainText } from '../../domain/written-text.ts';
import type { Sql } from '../db/database.ts';
import type { WrittenTable } from '../db/rows.ts';
import { statement } from '../db/statement.ts';
import type { RecordIds } from './record-ids.ts';
import {
  fieldOf,
  isChanged,
  readAll,
  recordsStatement,
  section,
  toRecord,
  toRow,
  writeRows,
} from './section.ts';
import {
  ENABLED,
  flag,
  latitude,
  listOf,
  longitude,
  name,
  names,
  optionalAmount,
  optionalDate,
  optionalId,
  optionalName,
  optionalText,
  storable,
} from './values.ts';

const developerSchema = z.strictObject({
  id: optionalId,
  slug: name.describe('The word in addresses.'),
  name: name.describe('What leads call it.'),
  description: optionalText.describe('For readers of the website.'),
  logoUrl: optionalName.describe('The address of the logo.'),
  imageUrl: optionalName.describe('The address of a picture.'),
  enabled: flag(true).describe(ENABLED),
  popular: flag(false).describe('Whether the popular developers include it.'),
});

const developerTable: WrittenTable = {
  name: 'developers',
  key: ['id'],
  insertOnly: ['slug'],
  flag: 'enabled',
};

export const developers = section({
  name: 'developers',
  about: 'Companies that build projects.',
  key: ['slug'],
  schema: developerSchema,
  read: readAll('developers')`
    select id, slug, name, description, logo_url as "logoUrl", image_url as "imageUrl", enabled,
      popular
    from developers order by slug`,
  write(context, records) {
    const rows = records.map((developer) => {
      return { ...toRow(developer), id: context.ids.of('developers', developer.slug) };
    });
    return writeRows(context, developerTable, rows);
  },
});

const locationSchema = z.strictObject({
  id: optionalId,
  key: name.transform(lookupKey).describe('Any text that is unique among places.'),
  name: name.describe('What leads call it.'),
  nameAr: optionalName.describe('The Arabic name, which leads may also use.'),
  level: name.describe('Such as `emirate`, `community` or `building`.'),
  parent: optionalName.describe('The place that contains it.'),
  latitude,
  longitude,
  enabled: flag(true).describe(ENABLED),
});

const locationTable: WrittenTable = {
  name: 'locations',
  key: ['id'],
  insertOnly: ['key', 'path', 'ancestor_ids'],
  flag: 'enabled',
};

export const locations = section({
  name: 'locations',
  about: 'Places, each within another one.',
  key: ['key'],
  schema: locationSchema,
  references: { parent: 'locations' },
  read: readAll('locations')`
    select t.id, t.key, t.name, t.name_ar as "nameAr", t.level, p.key as parent, t.latitude,
      t.longitude, t.enabled
    from locations t left join locations p on p.id = t.parent_id order by t.path, t.key`,
  /** Parents come before their children. Paths follow, also those of other locations under a moved one. */
  async write(context, records) {
    const rows = records.map(({ parent, ...location }) => ({
      ...toRow(location),
      id: context.ids.of('locations', location.key),
      parent_id: context.ids.ofOptional('locations', parent),
      path: location.name,
      ancestor_ids: [],
    }));
    const counts = await writeRows(context, locationTable, rows);
    if (isChanged({ ...counts, disabled: 0 })) await context.sql.all(UPDATE_PATHS, {});
    return counts;
  },
});

/** "Full ancestry text for telling similar names apart" (Reference records, Location), root first. */
const UPDATE_PATHS = statement('update_paths')`
with recursive tree as (
  select id, name as path, array[]::uuid[] as ancestor_ids from locations where parent_id is null
  union all
  select l.id, t.path || ' > ' || l.name, t.ancestor_ids || t.id
  from tree t join locations l on l.parent_id = t.id)
update locations l set path = t.path, ancestor_ids = t.ancestor_ids, updated_at = now()
from tree t where l.id = t.id and (l.path, l.ancestor_ids) is distinct from (t.path, t.ancestor_ids)`;

const projectSchema = z.strictObject({
  id: optionalId,
  slug: name.describe('The word in addresses.'),
  title: optionalName.describe('What leads call it.'),
  developer: optionalName,
  location: name,
  status: name,
  propertyTypes: names,
  campaignType: optionalName.describe('Any text, for filters.'),
  ownershipType: optionalName.describe('Such as `Freehold`.'),
  stockAvailability: optionalName.describe('Such as `Available`.'),
  startingPrice: optionalAmount.describe('An amount such as `"1450000"`.'),
  deliveryDate: optionalDate.describe('The date of the hand-over to buyers.'),
  brochure: flag(false).describe('Whether there is a brochure.'),
  paymentPlans: names.describe('Such as `60/40`.'),
  latitude,
  longitude,
  bedrooms: names.describe('Such as `Studio` or `2`.'),
  amenities: names.describe('Such as `Pool`.'),
  description: optionalText.describe('For readers of the website.'),
  images: listOf(
    z.strictObject({
      url: name.describe('The picture’s address.'),
      alt: optionalText.describe('What the picture shows, in words.'),
    }),
  ).describe('Pictures, in order.'),
  published: flag(true).describe('A project that is not published appears in no list.'),
});

const projectTable: WrittenTable = {
  name: 'projects',
  key: ['id'],
  insertOnly: ['slug'],
  flag: 'published',
};

export const projects = section({
  name: 'projects',
  about: 'Projects of developers.',
  key: ['slug'],
  schema: projectSchema,
  references: {
    developer: 'developers',
    location: 'locations',
    status: 'projectStatuses',
    propertyTypes: 'propertyTypes',
  },
  read: readAll('projects')`
    select t.id, t.slug, t.title, d.slug as developer, l.key as location, s.name as status,
      array(select e.name from unnest(t.property_type_ids) with ordinality i (id, at)
        join list_entries e using (id) order by i.at) as "propertyTypes",
      t.campaign_type as "campaignType", t.ownership_type as "ownershipType",
      t.stock_availability as "stockAvailability", t.starting_price::text as "startingPrice",
      t.delivery_date as "deliveryDate", t.brochure, t.payment_plans as "paymentPlans", t.latitude,
      t.longitude, t.bedrooms, t.amenities, t.description, t.images, t.published
    from projects t left join developers d on d.id = t.developer_id
      left join locations l on l.id = t.location_id
      left join list_entries s on s.id = t.status_id
    order by t.slug`,
  write(context, records) {
    const { ids } = context;
    const rows = records.map(({ developer, location, status, propertyTypes, ...project }) => ({
      ...toRow(project),
      id: ids.of('projects', project.slug),
      developer_id: ids.ofOptional('developers', developer),
      location_id: ids.of('locations', location),
      status_id: ids.of('projectStatuses', status),
      property_type_ids: ids.ofAll('propertyTypes', propertyTypes),
    }));
    return writeRows(context, projectTable, rows);
  },
});

const listingSchema = z.strictObject({
  id: optionalId,
  referenceNo: storable
    .overwrite(plainText)
    .max(128)
    .min(1, 'Must not be empty')
    .describe('The number that portals print. Listings with different ids may share it.'),
  purpose: z.enum(['sale', 'rent']).describe('Whether the property is for sale or for rent.'),
  market: z
    .enum(['primary', 'secondary'])
    .describe('Primary: from the developer. Secondary: from an owner.'),
  price: optionalAmount.describe('An amount such as `"2100000"`.'),
  priceOnApplication: flag(false).describe('The price is not shown.'),
  currency: optionalName.describe('A code of ISO 4217, such as `AED`.'),
  bedrooms: optionalName.describe('Such as `Studio` or `2`.'),
  developer: optionalName,
  location: optionalName,
  propertyType: optionalName,
  agent: optionalName.describe('The agent who has the listing.'),
  enabled: flag(true).describe(ENABLED),
});

type ListingKey = Pick<z.output<typeof listingSchema>, 'id' | 'referenceNo'>;

const listingTable: WrittenTable = { name: 'listings', key: ['id'], flag: 'enabled' };

const LISTINGS_SQL = `
select t.id, t.reference_no as "referenceNo", t.purpose, t.market, t.price::text as price,
  t.price_on_application as "priceOnApplication", t.currency, t.bedrooms, d.slug as developer,
  l.key as location, p.name as "propertyType", a.email as agent, t.enabled
from listings t left join developers d on d.id = t.developer_id
  left join locations l on l.id = t.location_id
  left join list_entries p on p.id = t.property_type_id
  left join agents a on a.id = t.agent_id`;

const READ_LISTINGS = recordsStatement('listings')`
${LISTINGS_SQL} order by t.reference_no, t.id`;

const READ_LISTINGS_BY_ID = recordsStatement<{ ids: readonly string[] }>('listings_by_id')`
${LISTINGS_SQL} where t.id = any (:ids::uuid[]) order by array_position(:ids::uuid[], t.id)`;

/** Listings are found by `id`, else by `referenceNo`: two may share a number if their ids differ. */
export const listings = section({
  name: 'listings',
  about: 'Properties. A lead inherits values from the listing that it names.',
  key: ['referenceNo'],
  schema: listingSchema,
  references: {
    developer: 'developers',
    location: 'locations',
    propertyType: 'propertyTypes',
    agent: 'agents',
  },
  async read(sql, ids) {
    const rows = ids ? sql.all(READ_LISTINGS_BY_ID, { ids }) : sql.all(READ_LISTINGS, {});
    return (await rows).map(toRecord);
  },
  write(context, records) {
    const { ids } = context;
    const rows = records.map(({ developer, location, propertyType, agent, ...listing }) => ({
      ...toRow(listing),
      id: listingId(listing, ids),
      currency: listing.currency && currencies.resolve(listing.currency)?.id,
      developer_id: ids.ofOptional('developers', developer),
      location_id: ids.ofOptional('locations', location),
      property_type_id: ids.ofOptional('propertyTypes', propertyType),
      agent_id: ids.ofOptional('agents', agent),
    }));
    return writeRows(context, listingTable, rows);
  },
});

export function listingId({ id, referenceNo }: ListingKey, ids: RecordIds): string {
  return id ?? ids.of('listings', referenceNo);
}

/** What a record of a file is matched by; empty if that is invalid. */
export function readListingKey(given: unknown) {
  const id = listingSchema.shape.id.safeParse(fieldOf(given, 'id'));
  const number = listingSchema.shape.referenceNo
    .optional()
    .safeParse(fieldOf(given, 'referenceNo'));
  return id.success && number.success ? { id: id.data, number: number.data } : {};
}

/** The stored listings with these numbers, in any case. */
export function findListings(sql: Sql, numbers: readonly string[]) {
  return sql.all(FIND_LISTINGS, { numbers });
}

const FIND_LISTINGS = statement<{ numbers: readonly string[] }, { number: string; id: string }>(
  'find_listings',
)`
select n.number, l.id from unnest(:numbers::text[]) n (number)
join listings l on lower(l.reference_no) = lower(n.number)`;
