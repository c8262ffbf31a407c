import { canonicalJson } from '../canonical-json.ts';
import type { Unresolved } from '../leads/fields.ts';
import { charactersIn } from '../written-text.ts';
import { isCleared, KEY_LENGTH, type Quiz, type ReadAnswer } from './answer.ts';

export interface QuizPlan {
  quizKey: string | null;
  answers: ReturnType<typeof answerRow>[];
  questions: ReturnType<typeof registerAnswers>['questions'];
  unresolved: Unresolved;
  answered: readonly string[];
}

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
  const resolved = answers.filter(
    ({ flagged, reading, raw }) => !flagged && (reading.kind !== 'blank' || isCleared(raw)),
  );
  return {
    quizKey,
    answers: answers.map(answerRow),
    questions,
    unresolved: quizFlags(quizKey, answers),
    answered: [...new Set(resolved.map((answer) => flagKey(quizKey, answer)))],
  };
}

function answerRow(answer: RegisteredAnswer) {
  const { position, question, raw, reading, flagged, reason } = answer;
  return { position, question, raw, reading: { ...reading, reason }, flagged };
}

/** A question flagged twice has a list of its values. */
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

/** Without a key the label, without a label the position. A quiz without a key is `-`. */
function flagKey(quizKey: string | null, answer: RegisteredAnswer): string {
  const place = `#${String(answer.position + 1)}`;
  return `quiz.${quizKey ?? '-'}.${answer.questionKey ?? answer.questionLabel ?? place}`;
}

function originalValue({ reading }: RegisteredAnswer): unknown {
  return reading.kind === 'blank' ? [] : reading.raw;
}

export function storedQuizKey(quizKey: string | null): string {
  return quizKey ?? '';
}

/** Only its own quiz (update rule 6). Null without answers. */
export function supersededQuizKey({ quizKey, answers }: Quiz | QuizPlan): string | null {
  return answers.length === 0 ? null : storedQuizKey(quizKey);
}

/** A retry of the current answers changes nothing (update rule 6). */
export function isRetriedQuiz(
  answers: readonly { readonly raw: unknown }[],
  currentAnswers: readonly unknown[],
): boolean {
  return canonicalJson(answers.map(({ raw }) => raw)) === canonicalJson(currentAnswers);
}

/** Quiz limits (quiz block, rule 8). */
const ANSWERS_THAT_REGISTER = 60;
const QUESTIONS_PER_QUIZ = 100;
const OPTIONS_PER_QUESTION = 200;

export type KnownQuestion = { readonly question: string; readonly options: Iterable<string> };

type FlagReason =
  'unreadable' | 'answer_limit' | 'question_limit' | 'option_limit' | 'key_too_long';

type Entry = {
  readonly label: string | null;
  readonly position: number;
  readonly options: Set<string>;
  isChanged: boolean;
};
const UNCHANGED = { label: null, position: 0, isChanged: false };

type RegisteredAnswer = ReturnType<typeof registerAnswers>['answers'][number];

/** `known` is the catalogue of this quiz. A quiz without a key has no catalogue. */
export function registerAnswers(known: Iterable<KnownQuestion>, quiz: Quiz) {
  const catalogue = new Map<string, Entry>();
  for (const { question, options } of known)
    catalogue.set(question, { ...UNCHANGED, options: new Set(options) });
  const answers = quiz.answers.map((answer) => {
    const refused = quiz.quizKey === null ? null : register(catalogue, answer);
    const reason = answer.reading.flagged ? 'unreadable' : refused;
    return { ...answer, question: questionOf(answer), flagged: reason !== null, reason };
  });
  const questions = Array.from(catalogue).flatMap(([question, { isChanged, options, ...entry }]) =>
    isChanged ? { question, ...entry, options: [...options] } : [],
  );
  return { answers, questions };
}

/** Without a key the label, so that each language is a question. The prefix tells the two apart. */
function questionOf({ questionKey, questionLabel }: ReadAnswer): string | null {
  return questionKey ?? (questionLabel === null ? null : `label:${questionLabel}`);
}

function register(catalogue: Map<string, Entry>, answer: ReadAnswer): FlagReason | null {
  const question = questionOf(answer);
  if (answer.position >= ANSWERS_THAT_REGISTER) return 'answer_limit';
  if (question === null) return 'unreadable';
  if (isTooLong(question)) return 'key_too_long';
  const known = catalogue.get(question);
  if (known === undefined && catalogue.size >= QUESTIONS_PER_QUIZ) return 'question_limit';
  const added = { label: answer.questionLabel, position: catalogue.size, isChanged: true };
  const entry = known ?? { ...added, options: new Set() };
  catalogue.set(question, entry);
  return addOptions(entry, answer.optionKeys);
}

function addOptions(entry: Entry, optionKeys: string[]): FlagReason | null {
  let refused: FlagReason | null = null;
  for (const option of optionKeys) {
    if (entry.options.has(option)) continue;
    if (isTooLong(option)) refused = 'key_too_long';
    else if (entry.options.size >= OPTIONS_PER_QUESTION) refused ??= 'option_limit';
    else {
      entry.options.add(option);
      entry.isChanged = true;
    }
  }
  return refused;
}

function isTooLong(key: string): boolean {
  return charactersIn(key) > KEY_LENGTH;
}
