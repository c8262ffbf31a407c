import type { SentValue } from './enquiry.ts';
import type { Unresolved } from './resolve-fields.ts';

/** What a quiz block comes to: answers to keep, questions to register, flags, values for fields. */
export interface QuizPlan {
  quizKey: string | null;
  answers: QuizAnswerRow[];
  questions: QuizQuestionRow[];
  /** `quiz.<quizKey>.<questionKey>` to the original value. */
  unresolved: Unresolved;
  /** The flags that this submission's readable answers take away. */
  answered: readonly string[];
  values: ReadonlyMap<string, SentValue>;
}

export interface QuizAnswerRow {
  position: number;
  question: string | null;
  raw: unknown;
  reading: unknown;
  flagged: boolean;
}

export interface QuizQuestionRow {
  question: string;
  label: string | null;
  position: number;
  /** All options known after this submission. */
  options: string[];
}

export const NO_QUIZ: QuizPlan = {
  quizKey: null,
  answers: [],
  questions: [],
  unresolved: {},
  answered: [],
  values: new Map(),
};
