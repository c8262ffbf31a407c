import type { Enquiry } from '../../domain/leads/enquiry.ts';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';

export interface Caller {
  id: string;
  name: string;
}

/** Everything that one create or update needs beside the database; `newId` makes uuids. */
export interface IntakeRequest {
  enquiry: Enquiry;
  /** The JSON text of the body, kept as it came. */
  body: string;
  caller: Caller;
  reference: Reference;
  now: Date;
  newId: () => string;
  settings: { mergeWindowMs: number; followUpMs: number };
}

/** Deadlocks, and constraints that speak where a lock was missed, are tried again so often. */
export const INTAKE_RETRIES = 4;
