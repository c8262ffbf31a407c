import { enquiryFrom } from '../../domain/leads/enquiry.ts';
import type { Payload } from '../../domain/leads/payload-schema.ts';
import type { RouteRequest } from '../http/route.ts';
import type { IntakeRequest } from './request.ts';

/** What a create or an update asks for, read against the CRM's lists as they stand. */
export async function readIntakeRequest(
  {
    body,
    bodyText,
    caller,
    app,
    now,
    reference: currentReference,
  }: RouteRequest<unknown, unknown, unknown>,
  kind: 'create' | 'update',
): Promise<IntakeRequest> {
  const reference = await currentReference();
  const { mergeWindowMs, followUpMs } = app.config;
  return {
    enquiry: enquiryFrom(body as Payload, kind, reference.quizFields),
    body: bodyText,
    caller,
    reference,
    now,
    newId: app.newId,
    settings: { mergeWindowMs, followUpMs },
  };
}
