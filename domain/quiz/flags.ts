import type { RegisteredAnswer } from './catalogue.ts';

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

/** As the answer was read: its choice, else its value, else its label, else all of the entry. */
function originalValue({
  readable,
  optionKeys,
  value,
  answerLabels,
  raw,
}: RegisteredAnswer): unknown {
  if (!readable) return raw;
  if (optionKeys.length > 0) return optionKeys.length === 1 ? optionKeys[0] : optionKeys;
  if (value !== null) return value;
  return answerLabels.length === 1 ? answerLabels[0] : answerLabels;
}
