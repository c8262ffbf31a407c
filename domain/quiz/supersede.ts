import { canonicalJson } from '../routing/content-hash.ts';

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
