type Kept = { readonly quizKey: string | null };

/**
 * The earlier answers of a lead that a submission supersedes: all those of the same `quizKey`, and
 * no others (update rule 6). A quiz without a key supersedes only one without a key. A block that
 * brings no answers supersedes nothing.
 */
export function supersededAnswers<Earlier extends Kept>(
  earlier: readonly Earlier[],
  submission: Kept & { readonly answers: readonly unknown[] },
): Earlier[] {
  if (submission.answers.length === 0) return [];
  return earlier.filter(({ quizKey }) => quizKey === submission.quizKey);
}
