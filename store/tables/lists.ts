import { defineEntity, p } from '@mikro-orm/core';

/** Its one row holds the version, which moves with each change of the CRM's lists. */
export const ReferenceState = defineEntity({
  name: 'ReferenceState',
  tableName: 'reference_state',
  properties: {
    onlyRow: p.boolean().primary().default(true).check('only_row'),
    version: p.bigint('number'),
  },
});

/** The CRM's simple lists, distinguished by `list`. */
export const ListEntry = defineEntity({
  name: 'ListEntry',
  tableName: 'list_entries',
  properties: {
    id: p.uuid().primary(),
    list: p.text(),
    key: p.text(),
    name: p.text(),
    aliases: p.array().default([]),
    parent: () => p.manyToOne(ListEntry).nullable(),
    attributes: p.json<{ color?: string; portal?: boolean }>().defaultRaw(`'{}'`),
    enabled: p.boolean().default(true),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
  uniques: [{ properties: ['list', 'key'] }],
});

export const Funnel = defineEntity({
  name: 'Funnel',
  tableName: 'funnels',
  properties: {
    id: p.uuid().primary(),
    key: p.text().unique(),
    name: p.text(),
  },
});

export const FunnelStage = defineEntity({
  name: 'FunnelStage',
  tableName: 'funnel_stages',
  properties: {
    id: p.uuid().primary(),
    funnel: p.manyToOne(Funnel),
    position: p.integer(),
    name: p.text(),
  },
  uniques: [{ properties: ['funnel', 'name'] }],
});
