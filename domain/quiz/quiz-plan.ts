import { isCleared, type Quiz } from './answer.ts';
import {
  registerAnswers,
  type ChangedQuestion,
  type KnownQuestion,
  type RegisteredAnswer,
} from './catalogue.ts';
import type { Unresolved } from '../leads/fields.ts';
import { canonicalJson } from '../canonical-json.ts';

/** The outcome of a quiz block: answers to store, questions to register, flags. */
export interface QuizPlan {
  quizKey: string | null;
  answers: QuizAnswerRow[];
  questions: ChangedQuestion[];
  /** `quiz.<quizKey>.<questionKey>` to the original value. */
  unresolved: Unresolved;
  /** The flags that this submission removes: those of answers that are readable, or cleared by null. */
  answered: readonly string[];
}

type QuizAnswerRow = Pick<RegisteredAnswer, 'position' | 'question' | 'raw' | 'flagged'> & {
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
  const { quizKey } = quiz;
  const { answers, questions } = registerAnswers(known, quiz);
  const resolved = answers.filter((answer) => !answer.flagged && hasValueOrClears(answer));
  return {
    quizKey,
    answers: answers.map(answerRow),
    questions,
    unresolved: quizFlags(quizKey, answers),
    answered: [...new Set(resolved.map((answer) => flagKey(quizKey, answer)))],
  };
}

function answerRow(answer: RegisteredAnswer): QuizAnswerRow {
  const { position, question, raw, reading, flagged, reason } = answer;
  return { position, question, raw, reading: { ...reading, reason }, flagged };
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
): Unresolved {
  const flagged = Map.groupBy(
    answers.filter((answer) => answer.flagged),
    (answer) => flagKey(quizKey, answer),
  );
  return Object.fromEntries(
    Array.from(flagged, ([key, sent]) => {
      const [value, ...others] = sent.map(originalValue);
      return [key, others.length === 0 ? value : [value, ...others]];
    }),
  );
}

/** The label names a question without a key, and its place one without a label. A quiz without a key is `-`. */
function flagKey(quizKey: string | null, answer: RegisteredAnswer): string {
  const place = `#${String(answer.position + 1)}`;
  return `quiz.${quizKey ?? '-'}.${answer.questionKey ?? answer.questionLabel ?? place}`;
}

/** The value that was read. A blank answer has an empty list. */
function originalValue({ reading }: RegisteredAnswer): unknown {
  return reading.kind === 'blank' ? [] : reading.raw;
}

/** The quiz key as it is stored; that of a quiz without a key is empty. */
export function storedQuizKey(quizKey: string | null): string {
  return quizKey ?? '';
}

/**
 * The stored key of the quiz whose earlier answers on the lead a submission supersedes: its own and no
 * other (update rule 6). A quiz without a key supersedes only one without a key; null where the
 * submission brings no answers.
 */
export function supersededQuizKey(submission: {
  readonly quizKey: string | null;
  readonly answers: readonly unknown[];
}): string | null {
  return submission.answers.length === 0 ? null : storedQuizKey(submission.quizKey);
}

/** The lead's current answers sent once more: a retry, which changes nothing (update rule 6). */
export function isRetriedQuiz(
  answers: readonly { readonly raw: unknown }[],
  currentAnswers: readonly unknown[],
): boolean {
  return canonicalJson(answers.map(({ raw }) => raw)) === canonicalJson(currentAnswers);
}
