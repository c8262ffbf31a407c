import { defineEntity, p } from '@mikro-orm/core';

/**
 * The records that operators edit one at a time, for MikroORM's unit of work. Everything that is
 * written in bulk or on the hot path goes through plain SQL (database.ts); the migrations are the schema.
 */

const OAuthClientSchema = defineEntity({
  name: 'OAuthClient',
  tableName: 'oauth_clients',
  properties: {
    id: p.uuid().primary(),
    clientId: p.text().unique(),
    name: p.text(),
    secretHash: p.blob(),
    scope: p.text(),
    dailyQuota: p.integer().nullable(),
    active: p.boolean(),
    createdAt: p.datetime(),
    rotatedAt: p.datetime().nullable(),
  },
});
export class OAuthClient extends OAuthClientSchema.class {}
OAuthClientSchema.setClass(OAuthClient);

const WebhookEndpointSchema = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  properties: {
    id: p.uuid().primary(),
    client: () => p.manyToOne(OAuthClient).joinColumn('client_id'),
    url: p.text(),
    events: p.array(),
    secretSealed: p.blob(),
    previousSecretSealed: p.blob().nullable(),
    previousSecretUntil: p.datetime().nullable(),
    allowHttp: p.boolean(),
    enabled: p.boolean(),
    disabledReason: p.text().nullable(),
    failingSince: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
class WebhookEndpoint extends WebhookEndpointSchema.class {}
WebhookEndpointSchema.setClass(WebhookEndpoint);

const AgentSchema = defineEntity({
  name: 'Agent',
  tableName: 'agents',
  properties: {
    id: p.uuid().primary(),
    email: p.text().unique(),
    name: p.text(),
    slug: p.text().unique(),
    phone: p.text().nullable(),
    whatsappPhone: p.text().nullable(),
    active: p.boolean(),
    pausedAt: p.datetime().nullable(),
  },
});
class Agent extends AgentSchema.class {}
AgentSchema.setClass(Agent);

export const entities = [OAuthClient, WebhookEndpoint, Agent];
