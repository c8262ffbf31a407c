import { p } from '@mikro-orm/core';
import { addUniqueIndex, table } from './table.ts';

export const AdvertisingCampaign = table('advertising_campaigns', {
  id: p.uuid().primary(),
  platformCampaignId: p.text().nullable().unique(),
  name: p.text().nullable(),
  nameKey: p.text().nullable().index('advertising_campaigns_by_any_name'),
  createdAt: p.datetime(),
  updatedAt: p.datetime(),
});
addUniqueIndex(
  AdvertisingCampaign,
  'advertising_campaigns_by_name',
  'nameKey',
  'platform_campaign_id is null',
);

export const AdvertisingCost = table('advertising_costs', {
  day: p.date().primary(),
  advertisingCampaign: () => p.manyToOne(AdvertisingCampaign).primary(),
  currency: p.text().primary(),
  amount: p.decimal().check('amount >= 0'),
});
