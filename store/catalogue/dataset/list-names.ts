import type { SectionName } from '../../../domain/catalogue/dataset/sections.ts';

/** Sections that are rows of `list_entries`, under the names of their lists. */
export const LIST_OF_SECTION = {
  propertyTypes: 'propertyType',
  projectStatuses: 'projectStatus',
  sources: 'source',
  campaigns: 'campaign',
  marketingTypes: 'marketingType',
  eventTypes: 'eventType',
  websites: 'website',
  leadTypes: 'leadType',
  languages: 'language',
  pools: 'pool',
} as const satisfies { readonly [Name in SectionName]?: string };

export type ListSection = keyof typeof LIST_OF_SECTION;

/** Sub-sources have no section of their own: they come with their source, which is their parent. */
export const SUB_SOURCES = 'subSource';
