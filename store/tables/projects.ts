import { p } from '@mikro-orm/core';
import { Agent } from './agents.ts';
import { ListEntry } from './lists.ts';
import { addIndexes, addSqlIndexes, table } from './table.ts';

/** Without case and accents, for searches. */
const folded = (text: string) => p.text().nullable().generated(`(f_unaccent(${text})) stored`);

/** Only for the order by similarity: on the column itself it would also serve `like`, at a higher cost. */
const nearestBy = (column: string) => `using gist ((${column} || '') gist_trgm_ops(siglen = 256))`;

export const Location = table('locations', {
  id: p.uuid().primary(),
  key: p.text().unique(),
  name: p.text(),
  nameAr: p.text().nullable(),
  level: p.text(),
  parent: () => p.manyToOne(Location).nullable().index('locations_parent'),
  path: p.text(),
  ancestorIds: p.array().columnType('uuid[]').default([]),
  latitude: p.double().nullable(),
  longitude: p.double().nullable(),
  enabled: p.boolean().default(true),
  createdAt: p.datetime().defaultRaw('now()'),
  updatedAt: p.datetime().defaultRaw('now()'),
  searchName: folded('name'),
  searchNameAr: folded(`coalesce(name_ar, '')`),
});
Location.addIndex({ name: 'locations_ancestors', properties: 'ancestorIds', type: 'gin' });
Location.addIndex({
  name: 'locations_by_path',
  properties: ['path', 'id'],
  include: ['name', 'level'],
  where: 'enabled',
});
addIndexes(Location, { locations_enabled: ['enabled', 'enabled'] });
addSqlIndexes(Location, {
  locations_by_level: '(lower(level), path, id) where enabled',
  locations_search: 'using gin (search_name gin_trgm_ops, search_name_ar gin_trgm_ops)',
  locations_nearest: nearestBy('search_name'),
  locations_nearest_ar: nearestBy('search_name_ar'),
});

export const Developer = table('developers', {
  id: p.uuid().primary(),
  slug: p.text().unique(),
  name: p.text(),
  description: p.text().nullable(),
  logoUrl: p.text().nullable(),
  imageUrl: p.text().nullable(),
  enabled: p.boolean().default(true),
  popular: p.boolean().default(false),
  contactId: p.uuid().nullable(),
  createdAt: p.datetime().defaultRaw('now()'),
  updatedAt: p.datetime().defaultRaw('now()'),
  searchName: folded('name'),
  searchText: folded(`name || ' ' || slug || ' ' || coalesce(description, '')`),
});
addSqlIndexes(Developer, {
  developers_search_name: 'using gin (search_name gin_trgm_ops)',
  developers_search_text: 'using gin (search_text gin_trgm_ops)',
  developers_nearest: nearestBy('search_name'),
});
addIndexes(Developer, { developers_by_name: [['name', 'id'], 'enabled'] });

export const Project = table('projects', {
  id: p.uuid().primary(),
  slug: p.text().unique(),
  title: p.text().nullable(),
  description: p.text().nullable(),
  developer: p.manyToOne(Developer).nullable(),
  location: p.manyToOne(Location),
  status: p.manyToOne(ListEntry),
  propertyTypeIds: p.array().columnType('uuid[]').default([]),
  campaignType: p.text().nullable(),
  ownershipType: p.text().nullable(),
  stockAvailability: p.text().nullable(),
  startingPrice: p.decimal().columnType('numeric').nullable(),
  deliveryDate: p.date().nullable(),
  brochure: p.boolean().default(false),
  paymentPlans: p.array().default([]),
  bedrooms: p.array().default([]),
  amenities: p.array().default([]),
  latitude: p.double().nullable(),
  longitude: p.double().nullable(),
  images: p.json<string[]>().defaultRaw(`'[]'`),
  published: p.boolean().default(true),
  createdAt: p.datetime().defaultRaw('now()'),
  updatedAt: p.datetime().defaultRaw('now()'),
  searchName: folded(`coalesce(title, '')`),
  searchText: folded(`coalesce(title, '') || ' ' || slug || ' ' || coalesce(description, '')`),
});
addSqlIndexes(Project, {
  projects_search_name: 'using gin (search_name gin_trgm_ops)',
  projects_search_text: 'using gin (search_text gin_trgm_ops)',
  projects_nearest: nearestBy('search_name'),
});
addIndexes(Project, {
  projects_published: ['published', 'published'],
  projects_by_title: [['title', 'id'], 'published'],
  projects_developer: ['developer', 'published'],
  projects_location: ['location', 'published'],
  projects_place: [['latitude', 'longitude'], 'published'],
});

export const Listing = table('listings', {
  id: p.uuid().primary(),
  referenceNo: p.text(),
  purpose: p.enum(['sale', 'rent']),
  market: p.enum(['primary', 'secondary']),
  price: p.decimal().columnType('numeric').nullable(),
  priceOnApplication: p.boolean().default(false),
  currency: p.text().nullable(),
  bedrooms: p.text().nullable(),
  developer: p.manyToOne(Developer).nullable(),
  location: p.manyToOne(Location).nullable(),
  propertyType: p.manyToOne(ListEntry).nullable(),
  agent: p.manyToOne(Agent).nullable(),
  enabled: p.boolean().default(true),
  updatedAt: p.datetime().defaultRaw('now()'),
});
addSqlIndexes(Listing, { listings_reference: '(lower(reference_no))' });
