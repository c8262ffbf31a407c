import { defineEntity, p } from '@mikro-orm/core';

export const OAuthClient = defineEntity({
  name: 'OAuthClient',
  tableName: 'oauth_clients',
  properties: {
    id: p.uuid().primary(),
    clientId: p.text().unique(),
    name: p.text(),
    secretHash: p.blob().$type<Buffer>(),
    scope: p.text().default(''),
    dailyQuota: p.integer().nullable(),
    active: p.boolean().default(true),
    createdAt: p.datetime(),
    rotatedAt: p.datetime().nullable(),
  },
});

export const OAuthToken = defineEntity({
  name: 'OAuthToken',
  tableName: 'oauth_tokens',
  properties: {
    tokenHash: p.blob().$type<Buffer>().primary(),
    client: () => p.manyToOne(OAuthClient),
    createdAt: p.datetime(),
    expiresAt: p.datetime().index('oauth_tokens_expiry'),
    revokedAt: p.datetime().nullable(),
  },
  indexes: [{ name: 'oauth_tokens_live', properties: 'client', where: 'revoked_at is null' }],
});

export const QuotaUsage = defineEntity({
  name: 'QuotaUsage',
  tableName: 'quota_usage',
  properties: {
    client: () => p.manyToOne(OAuthClient).primary(),
    day: p.date().primary(),
    used: p.integer(),
  },
});

export const TokenFailure = defineEntity({
  name: 'TokenFailure',
  tableName: 'token_failures',
  properties: {
    key: p.text().primary(),
    windowStart: p.datetime().primary(),
    failures: p.integer(),
  },
});
