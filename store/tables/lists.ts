import { p } from '@mikro-orm/core';
import { addUniqueIndex, table } from './table.ts';

/** One row. The version increases with each change of lists, agents and rules. */
export const ReferenceState = table('reference_state', {
  onlyRow: p.boolean().primary().default(true).check('only_row'),
  version: p.bigint('number'),
});

export const ListEntry = table('list_entries', {
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
});
ListEntry.addUnique({ properties: ['list', 'key'] });

export const Funnel = table('funnels', {
  id: p.uuid().primary(),
  key: p.text().unique(),
  name: p.text(),
});

export const FunnelStage = table('funnel_stages', {
  id: p.uuid().primary(),
  funnel: p.manyToOne(Funnel),
  position: p.integer(),
  name: p.text(),
});
FunnelStage.addUnique({ properties: ['funnel', 'name'] });

export const AdvertisingCampaign = table('advertising_campaigns', {
  id: p.uuid().primary(),
  platformCampaignId: p.text().nullable().unique(),
  name: p.text().nullable(),
  nameKey: p.text().nullable().index('advertising_campaigns_by_any_name'),
  createdAt: p.datetime(),
  updatedAt: p.datetime(),
});
addUniqueIndex(AdvertisingCampaign, {
  advertising_campaigns_by_name: ['nameKey', 'platform_campaign_id is null'],
});

export const AdvertisingCost = table('advertising_costs', {
  day: p.date().primary(),
  advertisingCampaign: () => p.manyToOne(AdvertisingCampaign).primary(),
  currency: p.text().primary(),
  amount: p.decimal().columnType('numeric').check('amount >= 0'),
});
