import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import type { Enquiry } from '../../domain/leads/enquiry.ts';
import type { Config } from '../../platform/config.ts';
import type { Submission } from '../../store/leads/lead-rows.ts';

/** Everything that one create or update needs beside the database; `newId` makes uuids. */
export interface IntakeRequest {
  enquiry: Enquiry;
  /** The JSON text of the body, stored verbatim. */
  body: string;
  /** `id` is that of the client's row. */
  caller: { id: string; name: string };
  reference: Reference;
  now: Date;
  /** By which the request is found again where the answer to its commit was lost. */
  submissionId: string;
  newId: () => string;
  /** The caller's trace, in which the webhooks and log lines of the lead go on. */
  traceparent: string | null;
  settings: Pick<Config, 'mergeWindowMs' | 'followUpMs'>;
}

/** The request as it is stored. */
export function submissionOf(
  { submissionId, caller, body, traceparent }: IntakeRequest,
  kind: Submission['kind'],
): Submission {
  return { id: submissionId, clientId: caller.id, kind, body, traceparent };
}
