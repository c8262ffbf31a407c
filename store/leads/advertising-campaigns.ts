import type { CampaignKey } from '../../domain/leads/ad-platform.ts';
import type { Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';

export interface Campaign {
  id: string;
  name: string | null;
}

/** Whether the advertising campaign that an enquiry names has to be created, or renamed as the platform did. */
export function isNewCampaign(key: CampaignKey | null, known: Campaign | null): boolean {
  if (!key || !known) return key !== null;
  return key.platformCampaignId !== null && key.name !== null && key.name !== known.name;
}

/** Returns the advertising campaign of an enquiry; runs a statement only if it is new. */
export async function ensureCampaign(
  sql: Sql,
  key: CampaignKey | null,
  known: Campaign | null,
  { now, newId }: { now: Date; newId: () => string },
): Promise<Campaign | null> {
  if (!key || !isNewCampaign(key, known)) return key && known;
  const ensure = key.platformCampaignId === null ? ENSURE_NAMED_CAMPAIGN : ENSURE_PLATFORM_CAMPAIGN;
  return sql.first(ensure, { ...key, id: newId(), now });
}

type NewCampaign = CampaignKey & { id: string; now: Date };

const INSERT_CAMPAIGN = `insert into advertising_campaigns as c
  (id, platform_campaign_id, name, name_key, created_at, updated_at)
values (:id, :platformCampaignId, :name, :nameKey, :now, :now)`;

const ENSURE_NAMED_CAMPAIGN = statement<NewCampaign, Campaign>(
  'ensure_named_campaign',
  `${INSERT_CAMPAIGN}
   on conflict (name_key) where platform_campaign_id is null do update set updated_at = excluded.updated_at
   returning id, name`,
);

const ENSURE_PLATFORM_CAMPAIGN = statement<NewCampaign, Campaign>(
  'ensure_platform_campaign',
  `${INSERT_CAMPAIGN}
   on conflict (platform_campaign_id) do update set name = coalesce(excluded.name, c.name),
     name_key = coalesce(excluded.name_key, c.name_key), updated_at = excluded.updated_at
   returning id, name`,
);
