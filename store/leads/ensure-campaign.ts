import type { CampaignKey } from '../../domain/leads/advertising-campaign.ts';
import type { Sql } from '../db/database.ts';

export interface Campaign {
  id: string;
  name: string | null;
}

/**
 * The advertising campaign of an enquiry, created at first sight and renamed where the platform renamed
 * it. Costs a round trip only then; `known` is what was found before.
 */
export async function ensureCampaign(
  sql: Sql,
  key: CampaignKey | null,
  known: Campaign | null,
  { now, newId }: { now: Date; newId: () => string },
): Promise<Campaign | null> {
  if (!key) return null;
  const isRenamed =
    known !== null &&
    key.platformCampaignId !== null &&
    key.name !== null &&
    key.name !== known.name;
  if (known && !isRenamed) return known;
  const values = [newId(), key.platformCampaignId, key.name, key.nameKey, now];
  const [campaign] = await sql.query<Campaign & { id: string }>(
    key.platformCampaignId === null ? BY_NAME : BY_PLATFORM_ID,
    values,
  );
  return campaign ?? null;
}

const INSERT = `
insert into advertising_campaigns (id, platform_campaign_id, name, name_key, created_at, updated_at)
values ($1, $2, $3, $4, $5, $5)`;

const BY_PLATFORM_ID = `${INSERT}
on conflict (platform_campaign_id) do update set
  name = coalesce(excluded.name, advertising_campaigns.name),
  name_key = coalesce(excluded.name_key, advertising_campaigns.name_key),
  updated_at = excluded.updated_at
returning id, name`;

const BY_NAME = `${INSERT}
on conflict (name_key) where platform_campaign_id is null do update set updated_at = excluded.updated_at
returning id, name`;
