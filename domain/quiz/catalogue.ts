import { KEY_LENGTH, type Quiz, type ReadAnswer } from './answer.ts';

/** Quiz limits (quiz block, rule 8). */
const ANSWERS_THAT_REGISTER = 60;
const QUESTIONS_PER_QUIZ = 100;
const OPTIONS_PER_QUESTION = 200;

export type KnownQuestion = { readonly question: string; readonly options: Iterable<string> };

/** A question to store: a new one, or a known one with all the options that it has by now. */
export type ChangedQuestion = {
  readonly question: string;
  readonly label: string | null;
  /** The place of a new question in the catalogue, after the known ones. */
  readonly position: number;
  readonly options: string[];
};

export type FlagReason =
  'unreadable' | 'answer_limit' | 'question_limit' | 'option_limit' | 'key_too_long';

export type RegisteredAnswer = ReadAnswer & {
  /** The identity within the quiz; null when the entry names no question. */
  readonly question: string | null;
  readonly flagged: boolean;
  readonly reason: FlagReason | null;
};

/**
 * What a submission adds to the catalogue of its quiz. `known` is the catalogue of this quiz alone:
 * keys are scoped to it. A quiz without a key has no catalogue; its answers are only stored.
 */
export function registerAnswers(
  known: Iterable<KnownQuestion>,
  quiz: Quiz,
): { answers: RegisteredAnswer[]; questions: ChangedQuestion[] } {
  const catalogue: Catalogue = new Map(
    Array.from(known, ({ question, options }) => [
      question,
      { label: null, position: 0, options: new Set(options), isChanged: false },
    ]),
  );
  const answers = quiz.answers.map((answer) => {
    const refused = quiz.quizKey === null ? null : register(catalogue, answer);
    const reason = answer.reading.flagged ? 'unreadable' : refused;
    return { ...answer, question: questionOf(answer), flagged: reason !== null, reason };
  });
  const questions = Array.from(catalogue, ([question, { options, isChanged, ...entry }]) =>
    isChanged ? { question, ...entry, options: [...options] } : null,
  );
  return { answers, questions: questions.filter((question) => question !== null) };
}

/**
 * The key, else the label, so that without keys each language is a question of its own. The prefix
 * keeps a label apart from a key of the same text.
 */
function questionOf({ questionKey, questionLabel }: ReadAnswer): string | null {
  return questionKey ?? (questionLabel === null ? null : `label:${questionLabel}`);
}

type Entry = Pick<ChangedQuestion, 'label' | 'position'> & {
  readonly options: Set<string>;
  isChanged: boolean;
};
type Catalogue = Map<string, Entry>;

function register(catalogue: Catalogue, answer: ReadAnswer): FlagReason | null {
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
  return key.length > KEY_LENGTH && [...key].length > KEY_LENGTH;
}
