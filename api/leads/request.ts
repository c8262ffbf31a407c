import { enquiryFrom } from '../../domain/leads/enquiry.ts';
import { describeUnknownFields } from '../../domain/leads/unknown-fields.ts';
import type { Payload } from '../../domain/leads/payload-schema.ts';
import { formatTraceparent } from '../../platform/trace-context.ts';
import type { RouteRequest } from '../http/route.ts';
import type { IntakeRequest } from './intake-request.ts';

/** Reads the body of a create or an update against the current lists of the CRM. */
export async function readIntakeRequest(
  request: RouteRequest<unknown, unknown, unknown>,
  kind: 'create' | 'update',
): Promise<IntakeRequest> {
  const { app, caller, now, trace } = request;
  const body = request.body as Payload;
  const unknown = describeUnknownFields(body, kind);
  if (unknown !== null) request.setHeaders({ 'X-Unknown-Fields': unknown });
  const reference = await request.reference();
  return {
    enquiry: enquiryFrom(body, kind, reference.quizFields),
    body: request.bodyText,
    ...{ caller, reference, now },
    traceparent: trace && formatTraceparent(trace),
    submissionId: app.newId(),
    newId: app.newId,
    settings: app.config,
  };
}
