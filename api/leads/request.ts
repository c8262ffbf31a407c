import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import { enquiryFrom, type Enquiry } from '../../domain/leads/enquiry.ts';
import type { Payload } from '../../domain/leads/payload-schema.ts';
import type { Submission } from '../../store/leads/lead-rows.ts';
import type { Config } from '../../platform/config.ts';
import type { AuthenticatedCaller, RouteRequest } from '../http/route.ts';

/** Everything that one create or update needs beside the database; `newId` makes uuids. */
export interface IntakeRequest {
  enquiry: Enquiry;
  /** The JSON text of the body, stored verbatim. */
  body: string;
  caller: Pick<AuthenticatedCaller, 'id' | 'name'>;
  reference: Reference;
  now: Date;
  /** By which the request is found again where the answer to its commit was lost. */
  submissionId: string;
  newId: () => string;
  settings: Pick<Config, 'mergeWindowMs' | 'followUpMs'>;
}

/** The request as it is stored. */
export function submissionOf(
  { submissionId, caller, body }: IntakeRequest,
  kind: Submission['kind'],
): Submission {
  return { id: submissionId, clientId: caller.id, kind, body };
}

/** Reads the body of a create or an update against the current lists of the CRM. */
export async function readIntakeRequest(
  request: RouteRequest<unknown, unknown, unknown>,
  kind: 'create' | 'update',
): Promise<IntakeRequest> {
  const { app, caller, now } = request;
  const reference = await request.reference();
  return {
    enquiry: enquiryFrom(request.body as Payload, kind, reference.quizFields),
    body: request.bodyText,
    ...{ caller, reference, now },
    submissionId: app.newId(),
    newId: app.newId,
    settings: app.config,
  };
}
