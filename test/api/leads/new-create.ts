import { randomUUID } from 'node:crypto';
import type { Reference } from '../../../domain/catalogue/lookups/reference.ts';
import { enquiryFrom } from '../../../domain/leads/enquiry.ts';
import type { Payload } from '../../../domain/leads/payload-schema.ts';
import type { TestClient } from '../../support/api.ts';

/** What the route hands over for a create. */
export function newCreate(payload: Payload, reference: Reference, client: TestClient) {
  const body = JSON.stringify(payload);
  return {
    enquiry: enquiryFrom(payload, 'create', []),
    submission: { id: randomUUID(), clientId: client.id, body, traceparent: null },
    caller: { id: client.id, name: 'Shop' },
    reference,
    now: new Date(),
    newId: randomUUID,
    settings: { mergeWindowMs: 86_400_000, followUpMs: 0 },
  };
}
