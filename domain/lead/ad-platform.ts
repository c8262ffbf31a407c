import type { Columns } from './columns.ts';
import { charactersIn } from './payload-schema.ts';

/** The ad platform's lead-form block, once it is known to have a lead id. */
export interface AdPlatformBlock {
  adPlatformLeadId: string;
  /** As sent, unknown members included. */
  block: Record<string, unknown>;
}

/** An advertising campaign to find or to create: by the platform's id, else by its name. */
export interface CampaignKey {
  platformCampaignId: string | null;
  name: string | null;
}

/** Without its lead id the whole block is discarded (adPlatform block). */
export function readAdPlatform(sent: Record<string, unknown> | null): AdPlatformBlock | null {
  const id = blockText(sent, 'adPlatformLeadId');
  return sent && id ? { adPlatformLeadId: id, block: sent } : null;
}

function blockText(block: Record<string, unknown> | null, name: string): string | null {
  const value = block?.[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** The campaign id and name become the lead's advertising campaign (rule 2). */
export function campaignOf({ block }: AdPlatformBlock): CampaignKey | null {
  const platformCampaignId = blockText(block, 'adPlatformCampaignId');
  const name = blockText(block, 'adPlatformCampaignName');
  return platformCampaignId || name ? { platformCampaignId, name } : null;
}

/** The columns that a lead can be filtered by (rule 3). */
export function filterColumns({ block }: AdPlatformBlock): Columns {
  return {
    final_page_name: blockText(block, 'finalPageName'),
    ad_id: blockText(block, 'adId'),
    ad_name: blockText(block, 'adName'),
    adgroup_id: blockText(block, 'adgroupId'),
    adgroup_name: blockText(block, 'adgroupName'),
    form_id: blockText(block, 'formId'),
    ad_form_name: blockText(block, 'formName'),
  };
}

const NAME_LENGTH = 255;

/** formName and adsetName fall back to the block's names, cut to 255 characters (payload table). */
export function nameFallbacks({ block }: AdPlatformBlock): Columns {
  return {
    form_name: cut(blockText(block, 'formName')),
    adset_name: cut(blockText(block, 'adgroupName')),
  };
}

function cut(text: string | null): string | null {
  if (text === null || charactersIn(text) <= NAME_LENGTH) return text;
  return [...text].slice(0, NAME_LENGTH).join('');
}
