import { enquiryFrom } from '../../../domain/leads/enquiry.ts';
import { describeUnknownFields } from '../../../domain/leads/misspelt-fields.ts';
import type { Payload } from '../../../domain/leads/payload-schema.ts';
import { formatTraceparent } from '../../../platform/trace-context.ts';
import type { RouteRequest } from '../../http/route.ts';
import type { IntakeRequest } from '../../leads/apply-submission.ts';

/** Of a create or an update. */
export async function readIntakeRequest(
  { app, http, body, caller, now }: RouteRequest<unknown, unknown, Payload>,
  kind: 'create' | 'update',
): Promise<IntakeRequest> {
  const unknown = describeUnknownFields(body, kind);
  if (unknown !== null) http.set('X-Unknown-Fields', unknown);
  const reference = await app.reference.atLeast(caller.referenceVersion);
  const { bodyText, trace } = http.state;
  return {
    enquiry: enquiryFrom(body, kind, reference.quizFields),
    submission: {
      id: app.newId(),
      clientId: caller.id,
      body: bodyText,
      traceparent: trace && formatTraceparent(trace),
    },
    caller,
    reference,
    now,
    newId: app.newId,
    settings: app.config,
  };
}
