import type { KnownRecords } from '../../../store/dataset/known-records.ts';

/** An empty database. */
export const noRecords: KnownRecords = {
  records: [],
  agentSlugs: new Map(),
};
