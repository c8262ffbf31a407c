/** One entry of `quiz.answers`, in either published spelling, kept whole in `raw`. */
export type QuizAnswer = {
  readonly questionKey: string | null;
  readonly questionLabel: string | null;
  readonly optionKeys: string[];
  readonly answerLabels: string[];
  /** As sent; null when absent, null or blank. */
  readonly value: unknown;
  readonly currency: string | null;
  readonly raw: unknown;
  /** False when the entry is no object, or names its question neither by key nor by label. */
  readonly readable: boolean;
};

type Entry = Readonly<Record<string, unknown>>;

/** Takes any JSON at all and never throws (specification, quiz block, rule 6). */
export function toQuizAnswer(raw: unknown): QuizAnswer {
  const entry = isEntry(raw) ? raw : {};
  const questionKey = textOf(entry['questionKey']);
  const questionLabel = textOf(entry['questionLabel']) ?? textOf(entry['label']);
  return {
    questionKey,
    questionLabel,
    optionKeys: firstFilled(entry['optionKey'], entry['optionKeys']),
    answerLabels: textsOf(entry['answerLabel']),
    value: isBlank(entry['value']) ? null : entry['value'],
    currency: textOf(entry['currency']),
    raw,
    readable: questionKey !== null || questionLabel !== null,
  };
}

/** `value: null` says that there is no answer any more; an entry that lacks one says nothing. */
export function isCleared(raw: unknown): boolean {
  const said = ['optionKey', 'optionKeys', 'answerLabel', 'value'];
  return isEntry(raw) && said.some((field) => raw[field] === null);
}

export function isEntry(raw: unknown): raw is Entry {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/** A key sent as a number is the same key as its digits. */
export function textOf(sent: unknown): string | null {
  if (typeof sent !== 'string' && typeof sent !== 'number') return null;
  const text = String(sent).trim();
  return text === '' ? null : text;
}

function textsOf(sent: unknown): string[] {
  const texts = (Array.isArray(sent) ? sent : [sent]).map(textOf);
  return [...new Set(texts.filter((text) => text !== null))];
}

function firstFilled(...sent: unknown[]): string[] {
  return sent.map(textsOf).find((texts) => texts.length > 0) ?? [];
}

function isBlank(value: unknown): boolean {
  return (
    value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
  );
}
