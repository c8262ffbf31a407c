import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import { enquiryFrom, type Enquiry } from '../../domain/leads/enquiry.ts';
import type { Payload } from '../../domain/leads/payload-schema.ts';
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
  newId: () => string;
  settings: Pick<Config, 'mergeWindowMs' | 'followUpMs'>;
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
    newId: app.newId,
    settings: app.config,
  };
}
