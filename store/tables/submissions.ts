import { p } from '@mikro-orm/core';
import { noteKinds } from '../../domain/leads/timeline-notes.ts';
import { OAuthClient } from './clients.ts';
import { Lead } from './leads.ts';
import { addIndexes, table } from './table.ts';

/** `json` keeps the escapes and the order of members. */
export const Submission = table('submissions', {
  id: p.uuid().primary(),
  lead: p.manyToOne(Lead),
  client: p.manyToOne(OAuthClient),
  kind: p.enum(['create', 'merge', 'update']),
  receivedAt: p.datetime(),
  body: p.json<unknown>().columnType('json'),
});
addIndexes(Submission, { submissions_lead: [['lead', 'receivedAt']] });

export const Comment = table('comments', {
  id: p.uuid().primary(),
  lead: p.manyToOne(Lead),
  submission: p.manyToOne(Submission),
  client: p.manyToOne(OAuthClient),
  position: p.integer(),
  occurredAt: p.datetime(),
  text: p.text(),
  author: p.text().nullable(),
  channel: p.text().nullable(),
  direction: p.enum(['inbound', 'outbound']).nullable(),
  externalId: p.text().nullable(),
});
Comment.addIndex({
  name: 'comments_external',
  expression: `create unique index comments_external on comments
    (lead_id, client_id, coalesce(channel, ''), external_id) where external_id is not null`,
});

export const TimelineNote = table('timeline_notes', {
  id: p.uuid().primary(),
  lead: p.manyToOne(Lead),
  at: p.datetime(),
  kind: p.enum(noteKinds),
  client: p.manyToOne(OAuthClient).nullable(),
  text: p.text(),
  data: p.json<object>().defaultRaw(`'{}'`),
});
addIndexes(TimelineNote, { timeline_notes_lead: [['lead', 'at']] });

/** One lead per ad platform lead, from any sender. */
export const AdPlatformBlock = table('ad_platform_blocks', {
  adPlatformLeadId: p.text().primary(),
  lead: p.manyToOne(Lead).index('ad_platform_blocks_lead'),
  submission: p.manyToOne(Submission),
  block: p.json<unknown>().columnType('json'),
});

export const QuizField = table('quiz_fields', {
  quizKey: p.text().primary(),
  questionKey: p.text().primary(),
  field: p.text(),
});

export const QuizQuestion = table('quiz_questions', {
  quizKey: p.text().primary(),
  question: p.text().primary(),
  label: p.text().nullable(),
  position: p.integer(),
  options: p.array().default([]),
  firstSeenAt: p.datetime(),
});

export const QuizAnswer = table('quiz_answers', {
  id: p.uuid().primary(),
  lead: p.manyToOne(Lead),
  submission: p.manyToOne(Submission),
  quizKey: p.text(),
  position: p.integer(),
  question: p.text().nullable(),
  raw: p.json<unknown>().columnType('json'),
  reading: p.json<unknown>(),
  flagged: p.boolean(),
  supersededAt: p.datetime().nullable(),
});
addIndexes(QuizAnswer, {
  quiz_answers_current: [['lead', 'quizKey'], 'superseded_at is null'],
});
