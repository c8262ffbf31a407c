import { createHash } from 'node:crypto';
import { z } from 'zod';
import { lookupKey } from '../catalogue/lookups/lookup-list.ts';
import { cutText, nameText, withoutInvisible } from '../written-text.ts';
import type { Columns } from './fields.ts';

const descriptions = {
  adPlatformLeadId: 'Id of the lead on the platform. A block is attached once.',
  adPlatformCreatedAt: 'Time at which the lead was created on the platform.',
  platform: 'Name of the platform.',
  adId: 'Id of the ad.',
  adName: 'Name of the ad.',
  adType: 'Kind of the ad.',
  adgroupId: 'Id of the ad group.',
  adgroupName: 'Name of the ad group.',
  adPlatformCampaignId:
    'Id of the campaign on the platform, which matches the advertising campaign.',
  adPlatformCampaignName: 'Name of the campaign on the platform.',
  formId: 'Id of the form.',
  formName: 'Name of the form.',
  adAccountId: 'Id of the ad account.',
  businessAccountId: 'Id of the business account.',
  sourceAction: 'Action by which the customer sent the form.',
  finalPageName: 'Name of the last page of the form.',
};

export const adPlatformTexts = Object.keys(descriptions);

export const adPlatformShape = {
  ...Object.fromEntries(
    Object.entries(descriptions).map(([name, text]) => [name, z.string().nullish().describe(text)]),
  ),
  // A time that is a number is stored and not read.
  adPlatformCreatedAt: z
    .union([z.string(), z.number()])
    .nullish()
    .describe(descriptions.adPlatformCreatedAt),
};

export const adPlatform = z.looseObject({
  ...adPlatformShape,
  customFields: z.unknown().optional(),
});

export interface AdPlatformBlock {
  /** The lead id, unique across the CRM (rule 4). */
  identity: string;
  block: Record<string, unknown>;
}

type SentBlock = Record<string, unknown> | null | undefined;

/** Null without a lead id (adPlatform block). */
export function readAdPlatform(sent: SentBlock): AdPlatformBlock | null {
  const id = blockText(sent, 'adPlatformLeadId');
  return sent && id ? { identity: indexKey(id), block: sent } : null;
}

/** Meta's CSV export marks an id with its kind: `l:` lead, `ag:` ad, `as:` ad set, `c:` campaign, `f:` form. */
const ID_KIND = /^[a-z]{1,2}:\s*(?=\d+$)/i;

export function blockText(block: SentBlock, name: string): string | null {
  const value = block?.[name];
  const text = typeof value === 'string' ? nameText(withoutInvisible(value)) : '';
  return (name.endsWith('Id') ? text.replace(ID_KIND, '') : text) || null;
}

/** The block's campaign wins over the name sent in the field (rule 2). */
export function campaignKey(
  block: AdPlatformBlock | null,
  sentName: string | null,
): CampaignKey | null {
  const sent = nameText(withoutInvisible(sentName ?? ''));
  return blockCampaign(block?.block) ?? (sent ? keyOf(null, sent) : null);
}

export function namesCampaign(block: SentBlock): boolean {
  return blockCampaign(block) !== null;
}

function blockCampaign(block: SentBlock): CampaignKey | null {
  const id = blockText(block, 'adPlatformCampaignId');
  const name = blockText(block, 'adPlatformCampaignName');
  return id || name ? keyOf(id, name) : null;
}

/** The platform's id wins over the name. */
export type CampaignKey = ReturnType<typeof keyOf>;

function keyOf(id: string | null, name: string | null) {
  return {
    platformCampaignId: id && indexKey(id),
    name,
    nameKey: name && indexKey(lookupKey(name)),
  };
}

const MAX_KEY_LENGTH = 255;

/** Short enough for a unique index: a longer value becomes its digest. */
export function indexKey(text: string): string {
  if (text.length <= MAX_KEY_LENGTH) return text;
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Filterable columns to members of the block (rule 3). */
const FILTERS: Readonly<Record<string, string>> = {
  final_page_name: 'finalPageName',
  ad_id: 'adId',
  ad_name: 'adName',
  adgroup_id: 'adgroupId',
  adgroup_name: 'adgroupName',
  form_id: 'formId',
  ad_form_name: 'formName',
};

export const blockColumns: ReadonlySet<string> = new Set(Object.keys(FILTERS));

export function filterColumns({ block }: AdPlatformBlock): Columns {
  const entries = Object.entries(FILTERS).map(([column, name]) => [column, blockText(block, name)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== null)) as Columns;
}

const NAME_LENGTH = 255;

/** Cut to 255 characters (payload table). */
export function nameFallbacks({ block }: AdPlatformBlock): Columns {
  return {
    form_name: cutText(blockText(block, 'formName'), NAME_LENGTH),
    adset_name: cutText(blockText(block, 'adgroupName'), NAME_LENGTH),
  };
}
