import { p } from '@mikro-orm/core';
import { eventTypes } from '../../domain/webhooks/event-payloads.ts';
import { OAuthClient } from './clients.ts';
import { Lead } from './leads.ts';
import { addIndexes, addSqlIndexes, table } from './table.ts';

export const WebhookEndpoint = table('webhook_endpoints', {
  id: p.uuid().primary(),
  client: p.manyToOne(OAuthClient),
  url: p.text(),
  events: p.array(),
  secretSealed: p.blob().$type<Buffer>(),
  previousSecretSealed: p.blob().$type<Buffer>().nullable(),
  previousSecretUntil: p.datetime().nullable(),
  allowHttp: p.boolean().default(false),
  enabled: p.boolean().default(true),
  disabledReason: p.text().nullable(),
  failingSince: p.datetime().nullable(),
  lastFailureAt: p.datetime().nullable(),
  createdAt: p.datetime(),
});
addIndexes(WebhookEndpoint, { webhook_endpoints_client: ['client', 'enabled'] });

export const WebhookEvent = table('webhook_events', {
  id: p.text().primary(),
  lead: p.manyToOne(Lead),
  client: p.manyToOne(OAuthClient),
  type: p.enum(eventTypes),
  /** Null for an event of an endpoint, which the lead's run delivers. */
  sequence: p.integer().nullable(),
  body: p.text(),
  createdAt: p.datetime(),
  traceparent: p.text().nullable(),
});
WebhookEvent.addUnique({ properties: ['lead', 'sequence'] });
addIndexes(WebhookEvent, { webhook_events_type: [['type', 'createdAt', 'id']] });

export const EventFeedEntry = table('event_feed', {
  position: p.bigint('number').columnType('bigint').primary().autoincrement().generated('identity'),
  clientId: p.uuid(),
  type: p.text(),
  eventId: p.text().unique(),
  /** Never decreases: the time of the event, or of an earlier event in this order if that is later. */
  at: p.datetime().defaultRaw('now()'),
  integrationRef: p.text().nullable(),
});
addIndexes(EventFeedEntry, {
  event_feed_client: [['clientId', 'type', 'position']],
  event_feed_at: [['at', 'position']],
  event_feed_integration_ref: [
    ['clientId', 'integrationRef', 'type', 'position'],
    'integration_ref is not null',
  ],
});

export const EventFeedHorizon = table('event_feed_horizons', {
  clientId: p.uuid().primary(),
  type: p.text().primary(),
  position: p.bigint('number'),
  at: p.datetime(),
});

/** Events without a position. A trigger of `webhook_events` writes these rows. */
export const QueuedEvent = table('event_feed_queue', {
  number: p.bigint('number').columnType('bigint').primary().autoincrement().generated('identity'),
  eventId: p.text(),
});

export const WebhookDelivery = table('webhook_deliveries', {
  event: p.manyToOne(WebhookEvent).primary(),
  endpoint: p.manyToOne(WebhookEndpoint).primary(),
  lead: p.manyToOne(Lead).index('webhook_deliveries_lead'),
  /** `held`: due while its client was inactive. */
  status: p.enum(['pending', 'delivered', 'failed', 'held']).default('pending'),
  attempts: p.integer().default(0),
  generation: p.integer().default(0),
  nextAttemptAt: p.datetime().nullable(),
  failureReason: p.text().nullable(),
  createdAt: p.datetime(),
  finishedAt: p.datetime().nullable(),
  /** After an erasure the endpoint's response is not stored. */
  isErased: p.boolean().default(false),
});
WebhookDelivery.addIndex({
  name: 'webhook_deliveries_endpoint',
  properties: ['endpoint', 'createdAt'],
  columns: [{ name: 'endpoint_id' }, { name: 'created_at', sort: 'DESC' }],
});
addIndexes(WebhookDelivery, {
  webhook_deliveries_open_endpoint: ['endpoint', `status = 'pending'`],
  webhook_deliveries_pending: ['createdAt', `status = 'pending'`],
  webhook_deliveries_failed: ['finishedAt', `status = 'failed'`],
  webhook_deliveries_failed_made: ['createdAt', `status = 'failed'`],
  webhook_deliveries_held: ['endpoint', `status = 'held'`],
});

export const WebhookAttempt = table('webhook_attempts', {
  id: p.bigint('number').columnType('bigint').primary().autoincrement().generated('identity'),
  eventId: p.text(),
  endpointId: p.uuid(),
  /** For the foreign key over both columns; not a member of the row. */
  delivery: p.manyToOne(WebhookDelivery).joinColumns('event_id', 'endpoint_id').$type<never>(),
  at: p.datetime(),
  statusCode: p.integer().nullable(),
  latencyMs: p.integer(),
  error: p.text().nullable(),
  responseHead: p.text().nullable(),
});
addIndexes(WebhookAttempt, { webhook_attempts_delivery: [['eventId', 'endpointId', 'at']] });
// Rows are added in the order of time, so that BRIN costs little.
addSqlIndexes(WebhookAttempt, { webhook_attempts_at: 'using brin (at)' });
