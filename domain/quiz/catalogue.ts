import { KEY_LENGTH } from './answer.ts';
import type { Quiz, ReadAnswer } from './quiz.ts';

/** Quiz limits (quiz block, rule 8). */
const ANSWERS_THAT_REGISTER = 60;
const QUESTIONS_PER_QUIZ = 100;
const OPTIONS_PER_QUESTION = 200;

export type KnownQuestion = { readonly question: string; readonly options: Iterable<string> };
export type NewQuestion = {
  readonly question: string;
  readonly label: string | null;
  /** The place in the catalogue, after the known questions. */
  readonly position: number;
  readonly options: string[];
};
/** Options to add to a known question. */
export type NewOptions = { readonly question: string; readonly options: string[] };

export type FlagReason =
  'unreadable' | 'answer_limit' | 'question_limit' | 'option_limit' | 'key_too_long';

export type RegisteredAnswer = ReadAnswer & {
  /** The identity within the quiz; null when the entry names no question. */
  readonly question: string | null;
  readonly flagged: boolean;
  readonly reason: FlagReason | null;
};

export type Registration = {
  readonly answers: RegisteredAnswer[];
  readonly newQuestions: NewQuestion[];
  readonly newOptions: NewOptions[];
};

/**
 * What a submission adds to the catalogue of its quiz. `known` is the catalogue of this quiz alone:
 * keys are scoped to it. A quiz without a key has no catalogue; its answers are only stored.
 */
export function registerAnswers(known: Iterable<KnownQuestion>, quiz: Quiz): Registration {
  const catalogue = catalogueOf(known);
  const answers = quiz.answers.map((answer) => {
    const refused = quiz.quizKey === null ? null : register(catalogue, answer);
    const reason = answer.reading.flagged ? 'unreadable' : refused;
    return { ...answer, question: questionOf(answer), flagged: reason !== null, reason };
  });
  return { answers, ...additionsOf(catalogue) };
}

/**
 * The key, else the label, so that without keys each language is a question of its own. The prefix
 * keeps a label apart from a key of the same text.
 */
function questionOf({ questionKey, questionLabel }: ReadAnswer): string | null {
  return questionKey ?? (questionLabel === null ? null : `label:${questionLabel}`);
}

type Question = {
  readonly label: string | null;
  readonly isNew: boolean;
  readonly options: Set<string>;
  readonly added: string[];
};
type Catalogue = Map<string, Question>;

function catalogueOf(known: Iterable<KnownQuestion>): Catalogue {
  return new Map(
    Array.from(known, ({ question, options }): [string, Question] => [
      question,
      { label: null, isNew: false, options: new Set(options), added: [] },
    ]),
  );
}

function register(catalogue: Catalogue, answer: ReadAnswer): FlagReason | null {
  const question = questionOf(answer);
  if (answer.position >= ANSWERS_THAT_REGISTER) return 'answer_limit';
  if (question === null) return 'unreadable';
  if (isTooLong(question)) return 'key_too_long';
  const entry = catalogue.get(question) ?? newQuestion(catalogue, question, answer.questionLabel);
  return entry === null ? 'question_limit' : addOptions(entry, answer.optionKeys);
}

function newQuestion(catalogue: Catalogue, question: string, label: string | null) {
  if (catalogue.size >= QUESTIONS_PER_QUIZ) return null;
  const entry: Question = { label, isNew: true, options: new Set(), added: [] };
  catalogue.set(question, entry);
  return entry;
}

function addOptions({ options, added }: Question, optionKeys: string[]): FlagReason | null {
  let refused: FlagReason | null = null;
  for (const option of optionKeys) {
    if (options.has(option)) continue;
    if (isTooLong(option)) refused = 'key_too_long';
    else if (options.size >= OPTIONS_PER_QUESTION) refused ??= 'option_limit';
    else {
      options.add(option);
      added.push(option);
    }
  }
  return refused;
}

function additionsOf(catalogue: Catalogue): Pick<Registration, 'newQuestions' | 'newOptions'> {
  const entries = [...catalogue].map(([question, entry], position) => {
    return { question, position, ...entry };
  });
  return {
    newQuestions: entries
      .filter(({ isNew }) => isNew)
      .map(({ question, label, position, added: options }) => {
        return { question, label, position, options };
      }),
    newOptions: entries
      .filter(({ isNew, added }) => !isNew && added.length > 0)
      .map(({ question, added: options }) => ({ question, options })),
  };
}

function isTooLong(key: string): boolean {
  return key.length > KEY_LENGTH && [...key].length > KEY_LENGTH;
}
