import { p } from '@mikro-orm/core';
import { Lead } from './leads.ts';
import { Submission } from './submissions.ts';
import { addIndex, table } from './table.ts';

/** Which question of a quiz fills which field of the lead. */
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
addIndex(QuizAnswer, 'quiz_answers_current', ['lead', 'quizKey'], 'superseded_at is null');
