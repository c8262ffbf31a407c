import {
  isEntry,
  KEY_LENGTH,
  readAnswer,
  textOf,
  toQuizAnswer,
  type QuizAnswer,
} from './answer.ts';
import type { Reading } from './reading.ts';

export type ReadAnswer = QuizAnswer & { readonly position: number; readonly reading: Reading };

export type Quiz = {
  readonly quizKey: string | null;
  readonly quizName: string | null;
  readonly locale: string | null;
  readonly version: string | null;
  readonly answers: ReadAnswer[];
};

/** Reads a quiz block as it was sent. Any JSON is taken; nothing of it is lost, nothing throws. */
export function readQuiz(sent: unknown): Quiz {
  const block = isEntry(sent) ? sent : {};
  return {
    quizKey: keyOf(block['quizKey']),
    quizName: textOf(block['quizName']),
    locale: textOf(block['locale']),
    version: textOf(block['version']),
    // What is no list is taken as its only entry.
    answers: [block['answers'] ?? []].flat().map(readEntry),
  };
}

/** A key of absurd length is cut: it is an identity, and the block as sent is kept elsewhere. */
function keyOf(sent: unknown): string | null {
  const text = textOf(sent);
  return text && [...text.slice(0, 2 * KEY_LENGTH)].slice(0, KEY_LENGTH).join('');
}

function readEntry(raw: unknown, position: number): ReadAnswer {
  const answer = toQuizAnswer(raw);
  return { ...answer, position, reading: readAnswer(answer) };
}
