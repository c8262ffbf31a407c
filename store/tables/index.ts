import { defineEntity, p } from '@mikro-orm/core';

/**
 * What is made one at a time, for MikroORM's unit of work. Everything that is written in bulk or on the
 * hot path goes through plain SQL (database.ts); the migrations are the schema.
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

export const entities = [OAuthClient];
