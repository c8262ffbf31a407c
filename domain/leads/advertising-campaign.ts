import { lookupKey } from '../catalogue/lookups/lookup-list.ts';
import { withoutInvisible } from '../written-text.ts';
import { blockText, indexKey, type AdPlatformBlock } from './ad-platform.ts';
import { sentText, type Enquiry } from './enquiry.ts';

/** An advertising campaign to find or to create: by the platform's id, else by its name. */
export interface CampaignKey {
  platformCampaignId: string | null;
  name: string | null;
  nameKey: string | null;
}

/** The advertising campaign of an enquiry: the block's wins over the field (adPlatform block, 2). */
export function campaignKey(enquiry: Enquiry, block: AdPlatformBlock | null): CampaignKey | null {
  const id = blockText(block?.block, 'adPlatformCampaignId');
  const name = blockText(block?.block, 'adPlatformCampaignName');
  if (id || name) return keyOf(id, name);
  const sent = withoutInvisible(sentText(enquiry, 'advertisingCampaign') ?? '').trim();
  return sent ? keyOf(null, sent) : null;
}

/** Whether a block names a campaign, which then is the lead's (adPlatform block, 2). */
export function namesCampaign(block: Record<string, unknown> | null | undefined): boolean {
  return CAMPAIGN_MEMBERS.some((member) => blockText(block, member) !== null);
}

const CAMPAIGN_MEMBERS = ['adPlatformCampaignId', 'adPlatformCampaignName'];

function keyOf(id: string | null, name: string | null): CampaignKey {
  return {
    platformCampaignId: id && indexKey(id),
    name,
    nameKey: name && indexKey(lookupKey(name)),
  };
}
