import { defineEntity, p } from '@mikro-orm/core';
import { Lead } from './leads.ts';
import { Submission } from './submissions.ts';

/** Which question of a quiz fills which field of the lead. */
export const QuizField = defineEntity({
  name: 'QuizField',
  tableName: 'quiz_fields',
  properties: {
    quizKey: p.text().primary(),
    questionKey: p.text().primary(),
    field: p.text(),
  },
});

export const QuizQuestion = defineEntity({
  name: 'QuizQuestion',
  tableName: 'quiz_questions',
  properties: {
    quizKey: p.text().primary(),
    question: p.text().primary(),
    label: p.text().nullable(),
    position: p.integer(),
    options: p.array().default([]),
    firstSeenAt: p.datetime(),
  },
});

export const QuizAnswer = defineEntity({
  name: 'QuizAnswer',
  tableName: 'quiz_answers',
  properties: {
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
  },
  indexes: [
    {
      name: 'quiz_answers_current',
      properties: ['lead', 'quizKey'],
      where: 'superseded_at is null',
    },
  ],
});
