import type { KnownRecords } from '../../../../domain/catalogue/dataset/record-ids.ts';

/** An empty database. */
export const noRecords: KnownRecords = {
  ids: [],
  parents: new Map(),
  placeNames: [],
  languages: [],
  leadTypes: [],
  funnels: [],
  agentSlugs: new Map(),
};
