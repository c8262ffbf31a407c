import { defineEntity, p } from '@mikro-orm/core';
import { OAuthClient } from './clients.ts';
import { Lead } from './leads.ts';

/** The body of a request as it came: `json` keeps its escapes and the order of its members. */
export const Submission = defineEntity({
  name: 'Submission',
  tableName: 'submissions',
  properties: {
    id: p.uuid().primary(),
    lead: p.manyToOne(Lead),
    client: p.manyToOne(OAuthClient),
    kind: p.enum(['create', 'merge', 'update']),
    receivedAt: p.datetime(),
    body: p.json<unknown>().columnType('json'),
  },
  indexes: [{ name: 'submissions_lead', properties: ['lead', 'receivedAt'] }],
});

export const Comment = defineEntity({
  name: 'Comment',
  tableName: 'comments',
  properties: {
    id: p.uuid().primary(),
    lead: p.manyToOne(Lead),
    submission: p.manyToOne(Submission),
    position: p.integer(),
    occurredAt: p.datetime(),
    text: p.text(),
    author: p.text().nullable(),
    channel: p.text().nullable(),
    direction: p.enum(['inbound', 'outbound']).nullable(),
    externalId: p.text().nullable(),
  },
  uniques: [
    {
      name: 'comments_external',
      properties: ['lead', 'externalId'],
      where: 'external_id is not null',
    },
  ],
});

export const TimelineNote = defineEntity({
  name: 'TimelineNote',
  tableName: 'timeline_notes',
  properties: {
    id: p.uuid().primary(),
    lead: p.manyToOne(Lead),
    at: p.datetime(),
    kind: p.text(),
    client: p.manyToOne(OAuthClient).nullable(),
    text: p.text(),
    data: p.json<object>().defaultRaw(`'{}'`),
  },
  indexes: [{ name: 'timeline_notes_lead', properties: ['lead', 'at'] }],
});

/** An ad platform's lead becomes one lead of ours, whoever sends it again. */
export const AdPlatformBlock = defineEntity({
  name: 'AdPlatformBlock',
  tableName: 'ad_platform_blocks',
  properties: {
    adPlatformLeadId: p.text().primary(),
    lead: p.manyToOne(Lead).index('ad_platform_blocks_lead'),
    submission: p.manyToOne(Submission),
    block: p.json<unknown>().columnType('json'),
  },
});
