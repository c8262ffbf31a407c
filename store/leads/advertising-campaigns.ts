import type { CampaignKey } from '../../domain/leads/ad-platform.ts';
import type { Sql } from '../db/database.ts';

export interface Campaign {
  id: string;
  name: string | null;
}

/** Whether the advertising campaign that an enquiry names has to be created, or renamed as the platform did. */
export function isNewCampaign(key: CampaignKey | null, known: Campaign | null): boolean {
  if (!key || !known) return key !== null;
  return key.platformCampaignId !== null && key.name !== null && key.name !== known.name;
}

/** Returns the advertising campaign of an enquiry; runs a statement only where it is new. */
export async function ensureCampaign(
  { tables, run }: Sql,
  key: CampaignKey | null,
  known: Campaign | null,
  { now, newId }: { now: Date; newId: () => string },
): Promise<Campaign | null> {
  if (!key || !isNewCampaign(key, known)) return key && known;
  const { platformCampaignId, name, nameKey } = key;
  const row = { platform_campaign_id: platformCampaignId, name, name_key: nameKey };
  const insert = tables
    .insertInto('advertising_campaigns')
    .values({ ...row, id: newId(), created_at: now, updated_at: now })
    .onConflict((conflict) =>
      platformCampaignId === null
        ? conflict
            .column('name_key')
            .where('platform_campaign_id', 'is', null)
            .doUpdateSet({ updated_at: now })
        : conflict.column('platform_campaign_id').doUpdateSet(({ fn }) => ({
            name: fn.coalesce('excluded.name', 'advertising_campaigns.name'),
            name_key: fn.coalesce('excluded.name_key', 'advertising_campaigns.name_key'),
            updated_at: now,
          })),
    );
  const [campaign] = await run(insert.returning(['id', 'name']));
  return campaign ?? null;
}
