import { defineEntity, p } from '@mikro-orm/core';

export const AdvertisingCampaign = defineEntity({
  name: 'AdvertisingCampaign',
  tableName: 'advertising_campaigns',
  properties: {
    id: p.uuid().primary(),
    platformCampaignId: p.text().nullable().unique(),
    name: p.text().nullable(),
    nameKey: p.text().nullable().index('advertising_campaigns_by_any_name'),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
  uniques: [
    {
      name: 'advertising_campaigns_by_name',
      properties: 'nameKey',
      where: 'platform_campaign_id is null',
    },
  ],
});

export const AdvertisingCost = defineEntity({
  name: 'AdvertisingCost',
  tableName: 'advertising_costs',
  properties: {
    day: p.date().primary(),
    advertisingCampaign: () => p.manyToOne(AdvertisingCampaign).primary(),
    currency: p.text().primary(),
    amount: p.decimal().check('amount >= 0'),
  },
});
