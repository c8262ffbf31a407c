import type { KnownRecords } from '../../../store/dataset/known-records.ts';

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
