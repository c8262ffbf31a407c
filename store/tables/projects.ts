import { defineEntity, p } from '@mikro-orm/core';
import { Agent } from './agents.ts';
import { ListEntry } from './lists.ts';

const trigramIndex = (table: string, column: string) => ({
  name: `${table}_${column}`,
  expression: `create index ${table}_${column} on ${table} using gin (${column} gin_trgm_ops)`,
});

const BY_LEVEL =
  'create index locations_by_level on locations (lower(level), path, id) where enabled';
const SEARCH =
  'create index locations_search on locations using gin (search_name gin_trgm_ops, search_name_ar gin_trgm_ops)';

export const Location = defineEntity({
  name: 'Location',
  tableName: 'locations',
  properties: {
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
    searchName: p.text().nullable().generated('(f_unaccent(name)) stored'),
    searchNameAr: p.text().nullable().generated(`(f_unaccent(coalesce(name_ar, ''))) stored`),
  },
  indexes: [
    { name: 'locations_ancestors', properties: 'ancestorIds', type: 'gin' },
    {
      name: 'locations_by_path',
      properties: ['path', 'id'],
      include: ['name', 'level'],
      where: 'enabled',
    },
    { name: 'locations_by_level', expression: BY_LEVEL },
    { name: 'locations_enabled', properties: 'enabled', where: 'enabled' },
    { name: 'locations_search', expression: SEARCH },
  ],
});

export const Developer = defineEntity({
  name: 'Developer',
  tableName: 'developers',
  properties: {
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
    searchName: p.text().nullable().generated('(f_unaccent(name)) stored'),
    searchText: p
      .text()
      .nullable()
      .generated(`(f_unaccent(name || ' ' || slug || ' ' || coalesce(description, ''))) stored`),
  },
  indexes: [
    { name: 'developers_by_name', properties: ['name', 'id'], where: 'enabled' },
    trigramIndex('developers', 'search_name'),
    trigramIndex('developers', 'search_text'),
  ],
});

export const Project = defineEntity({
  name: 'Project',
  tableName: 'projects',
  properties: {
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
    startingPrice: p.decimal().nullable(),
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
    searchName: p.text().nullable().generated(`(f_unaccent(coalesce(title, ''))) stored`),
    searchText: p
      .text()
      .nullable()
      .generated(
        `(f_unaccent(coalesce(title, '') || ' ' || slug || ' ' || coalesce(description, ''))) stored`,
      ),
  },
  indexes: [
    { name: 'projects_published', properties: 'published', where: 'published' },
    { name: 'projects_by_title', properties: ['title', 'id'], where: 'published' },
    { name: 'projects_developer', properties: 'developer', where: 'published' },
    { name: 'projects_location', properties: 'location', where: 'published' },
    { name: 'projects_place', properties: ['latitude', 'longitude'], where: 'published' },
    trigramIndex('projects', 'search_name'),
    trigramIndex('projects', 'search_text'),
  ],
});

export const Listing = defineEntity({
  name: 'Listing',
  tableName: 'listings',
  properties: {
    id: p.uuid().primary(),
    referenceNo: p.text(),
    purpose: p.enum(['sale', 'rent']),
    market: p.enum(['primary', 'secondary']),
    price: p.decimal().nullable(),
    priceOnApplication: p.boolean().default(false),
    currency: p.text().nullable(),
    bedrooms: p.text().nullable(),
    developer: p.manyToOne(Developer).nullable(),
    location: p.manyToOne(Location).nullable(),
    propertyType: p.manyToOne(ListEntry).nullable(),
    agent: p.manyToOne(Agent).nullable(),
    enabled: p.boolean().default(true),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [
    {
      name: 'listings_reference',
      expression: 'create index listings_reference on listings (lower(reference_no))',
    },
  ],
});
