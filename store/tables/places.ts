import { defineEntity, p } from '@mikro-orm/core';

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
