import { fieldByName } from '../leads/fields.ts';
import type { QuizAnswer } from './answer.ts';
import { budgetBound, budgetOf } from './budget-field.ts';
import { currencyCode } from './read-number.ts';
import type { Quiz, ReadAnswer } from './quiz.ts';

/** A row of the `quizFields` data: which field of the lead a question fills. */
export type QuizField = {
  readonly quizKey: string;
  readonly questionKey: string;
  readonly field: string;
};

export type MappedFields = {
  /** By payload field: text to store or look up, texts for a list, decimal text for a budget. */
  readonly values: ReadonlyMap<string, string | string[]>;
  /** Other texts of the same answer, to look up in turn where the first matches nothing. */
  readonly alternatives: ReadonlyMap<string, string[]>;
};

type Fill = {
  readonly field: string;
  readonly value: string | string[] | null | undefined;
  readonly alternatives?: string[];
};

/**
 * The values that a quiz gives to the lead's fields. Of several answers for one field the first with a
 * value counts; a list takes all of them. A budget fills the currency too, unless another question is
 * mapped to `currency`.
 */
export function mapAnswersToFields(quiz: Quiz, quizFields: Iterable<QuizField>): MappedFields {
  const answersByField = groupByField(quiz, quizFields);
  const budget = fillsOf('budget', answersByField.get('budget') ?? []);
  answersByField.delete('budget');
  const fills = [...answersByField].flatMap(([field, answers]) => fillsOf(field, answers));
  const values = new Map<string, string | string[]>();
  const alternatives = new Map<string, string[]>();
  for (const fill of [...fills, ...budget]) {
    if (!fill.value?.length || values.has(fill.field)) continue;
    values.set(fill.field, fill.value);
    if (fill.alternatives?.length) alternatives.set(fill.field, fill.alternatives);
  }
  return { values, alternatives };
}

function groupByField({ quizKey, answers }: Quiz, quizFields: Iterable<QuizField>) {
  const ofQuiz = Array.from(quizFields).filter((mapping) => mapping.quizKey === quizKey);
  const fieldOf = new Map(ofQuiz.map(({ questionKey, field }) => [questionKey, field]));
  const grouped = new Map<string, ReadAnswer[]>();
  for (const answer of answers) {
    const field = answer.questionKey === null ? undefined : fieldOf.get(answer.questionKey);
    if (field !== undefined) grouped.set(field, [...(grouped.get(field) ?? []), answer]);
  }
  return grouped;
}

function fillsOf(field: string, answers: ReadAnswer[]): Fill[] {
  if (field === 'budget') return budgetFills(answers);
  switch (fieldByName.get(field)?.type) {
    case 'decimal':
      return [boundFill(field, answers)];
    case 'texts':
      // Each label, value or key by itself.
      return [
        { field, value: [...new Set(answers.flatMap((answer) => textGroups(answer)[0] ?? []))] },
      ];
    case 'text':
    case 'dateTime':
      return [textFill(field, answers)];
    case undefined:
      return [];
  }
}

function textFill(field: string, answers: ReadAnswer[]): Fill {
  const texts = answers.map((answer) => textsForField(field, answer));
  const [value, ...alternatives] = texts.find((ofAnswer) => ofAnswer.length > 0) ?? [];
  return { field, value, alternatives };
}

function budgetFills(answers: ReadAnswer[]): Fill[] {
  const budget = answers.map(budgetOf).find((each) => each !== null);
  return [
    { field: 'budgetMin', value: budget?.budgetMin },
    { field: 'budgetMax', value: budget?.budgetMax },
    { field: 'currency', value: budget?.currency },
  ];
}

function boundFill(field: string, answers: ReadAnswer[]): Fill {
  const bound = field === 'budgetMin' ? 'min' : 'max';
  const amounts = answers.map((answer) => budgetBound(answer, bound));
  return { field, value: amounts.find((amount) => amount !== null) };
}

/** The texts that an answer has for a field, the best first: its labels, its value, its option keys. */
function textsForField(field: string, answer: QuizAnswer): string[] {
  const texts = textGroups(answer).map((group) => group.join(', '));
  const asCodes = () => texts.map((text) => currencyCode(text) ?? text);
  return [...new Set(field === 'currency' ? asCodes() : texts)];
}

function textGroups({ answerLabels, value, optionKeys }: QuizAnswer): string[][] {
  const valueTexts = typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  return [answerLabels, valueTexts, optionKeys].filter((texts) => texts.length > 0);
}
