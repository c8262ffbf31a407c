import { isCleared } from './answer.ts';
import {
  registerAnswers,
  type KnownQuestion,
  type NewQuestion,
  type RegisteredAnswer,
} from './catalogue.ts';
import type { Quiz } from './quiz.ts';
import type { Unresolved } from '../leads/lookup-semantics.ts';

/** The outcome of a quiz block: answers to store, questions to register, flags. */
export interface QuizPlan {
  quizKey: string | null;
  answers: QuizAnswerRow[];
  /** New questions, and known ones with new options: all options known after this submission. */
  questions: NewQuestion[];
  /** `quiz.<quizKey>.<questionKey>` to the original value. */
  unresolved: Unresolved;
  /** The flags that this submission removes: those of answers that are readable, or cleared by null. */
  answered: readonly string[];
}

export type QuizAnswerRow = Pick<RegisteredAnswer, 'position' | 'question' | 'raw' | 'flagged'> & {
  reading: unknown;
};

export const NO_QUIZ: QuizPlan = {
  quizKey: null,
  answers: [],
  questions: [],
  unresolved: {},
  answered: [],
};

export function planQuiz(quiz: Quiz | null, known: readonly KnownQuestion[]): QuizPlan {
  if (!quiz) return NO_QUIZ;
  const { answers, newQuestions, newOptions } = registerAnswers(known, quiz);
  const extended = newOptions.map(({ question, options }) => ({
    question,
    label: null,
    position: 0,
    options: [...optionsOf(known, question), ...options],
  }));
  return {
    quizKey: quiz.quizKey,
    answers: answers.map(answerRow),
    questions: [...newQuestions, ...extended],
    unresolved: quizFlags(quiz.quizKey, answers),
    answered: answeredFlags(quiz.quizKey, answers),
  };
}

function answerRow(answer: RegisteredAnswer): QuizAnswerRow {
  const { position, question, raw, reading, flagged, reason } = answer;
  return { position, question, raw, reading: { ...reading, reason }, flagged };
}

function optionsOf(known: readonly KnownQuestion[], question: string): Iterable<string> {
  return known.find((candidate) => candidate.question === question)?.options ?? [];
}

/** The flag keys of the answers that are readable or cleared. */
function answeredFlags(quizKey: string | null, answers: readonly RegisteredAnswer[]): string[] {
  const resolved = answers.filter((answer) => !answer.flagged && hasValueOrClears(answer));
  return [...new Set(resolved.map((answer) => flagKey(quizKey, answer)))];
}

function hasValueOrClears({ reading, raw }: RegisteredAnswer): boolean {
  return reading.kind !== 'blank' || isCleared(raw);
}

/**
 * The flagged answers as entries of `intakeUnresolved`: `quiz.<quizKey>.<questionKey>` and the
 * original value sent. A question that was flagged twice has a list of its values.
 */
export function quizFlags(
  quizKey: string | null,
  answers: readonly RegisteredAnswer[],
): Record<string, unknown> {
  const flagged = Map.groupBy(
    answers.filter((answer) => answer.flagged),
    (answer) => flagKey(quizKey, answer),
  );
  return Object.fromEntries(
    Array.from(flagged, ([key, sent]) => {
      const values = sent.map(originalValue);
      return [key, values.length === 1 ? values[0] : values];
    }),
  );
}

/** Without a key the label names the question, else its place; a quiz without a key is `-`. */
function flagKey(quizKey: string | null, answer: RegisteredAnswer): string {
  const place = `#${String(answer.position + 1)}`;
  return `quiz.${quizKey ?? '-'}.${answer.questionKey ?? answer.questionLabel ?? place}`;
}

/** In the order in which an answer is read: its choice, else its value, else its label, else the whole entry. */
function originalValue(answer: RegisteredAnswer): unknown {
  const { readable, optionKeys, value, answerLabels, raw } = answer;
  if (!readable) return raw;
  if (optionKeys.length > 0) return optionKeys.length === 1 ? optionKeys[0] : optionKeys;
  if (value !== null) return value;
  return answerLabels.length === 1 ? answerLabels[0] : answerLabels;
}
