import { fieldByName, type Field } from '../leads/fields.ts';
import { charactersIn } from '../written-text.ts';
import { keyOf, readValue, type QuizAnswer, type Quiz, type ReadAnswer } from './answer.ts';
import { combineQuantities } from './amount-grammar.ts';
import type { BoundSide } from './amount-words.ts';
import { currencyCode } from './read-number-or-range.ts';
import type { AmountMeaning, Reading } from './reading.ts';

export type QuizField = {
  readonly quizKey: string;
  readonly questionKey: string;
  readonly field: string;
};

export type MappedFields = {
  readonly values: ReadonlyMap<string, string | string[]>;
  /** Looked up in turn if the first text matches no record. */
  readonly alternatives: ReadonlyMap<string, string[]>;
  /** `3m+` has no maximum. */
  readonly openEnds: readonly string[];
};

type Fill = {
  readonly field: string;
  readonly value: string | string[] | null | undefined;
  readonly alternatives?: string[];
};

/** The first answer with a value fills a field. Amounts also fill the currency, unless a question is mapped to it. */
export function mapAnswersToFields(quiz: Quiz, quizFields: Iterable<QuizField>): MappedFields {
  const ofQuiz = Array.from(quizFields).filter(
    (mapping) => keyOf(mapping.quizKey) === quiz.quizKey,
  );
  const fieldOf = new Map<string | null, string>(
    ofQuiz.map(({ questionKey, field }) => [keyOf(questionKey), field]),
  );
  const byField = Map.groupBy(quiz.answers, (answer) => fieldOf.get(answer.questionKey));
  const fills = Array.from(byField, ([field, answers]) => fillOf(field ?? '', answers));
  const answersFor = (field: string) => byField.get(field) ?? [];
  const values = new Map<string, string | string[]>();
  const alternatives = new Map<string, string[]>();
  const allFills = [...fills, ...budgetFills(answersFor)];
  for (const fill of allFills) {
    if (!fill.value?.length || values.has(fill.field)) continue;
    values.set(fill.field, fill.value);
    if (fill.alternatives?.length) alternatives.set(fill.field, fill.alternatives);
  }
  const open = allFills.filter(({ field, value }) => value === null && !values.has(field));
  return { values, alternatives, openEnds: open.map(({ field }) => field) };
}

function fillOf(field: string, answers: ReadAnswer[]): Fill {
  switch (fieldByName.get(field)?.type) {
    case 'texts':
      return { field, value: [...new Set(answers.flatMap((each) => textGroups(each)[0] ?? []))] };
    case 'text':
    case 'dateTime':
      return textFill(field, answers);
    case 'decimal':
    case undefined:
      return { field, value: undefined };
  }
}

function textFill(field: string, answers: ReadAnswer[]): Fill {
  const texts = answers.map((answer) => textsForField(field, answer));
  const [value, ...alternatives] = texts.find(([best]) => best && fitsField(field, best)) ?? [];
  return { field, value, alternatives };
}

/** A lookup stores the record's id, so that the length does not count. */
function fitsField(name: string, text: string): boolean {
  const { match, maxLength = Infinity }: Partial<Field> = fieldByName.get(name) ?? {};
  return typeof match === 'object' || charactersIn(text) <= maxLength;
}

function textsForField(field: string, answer: QuizAnswer): string[] {
  const joined = textGroups(answer).map((group) => group.join(', '));
  // A key of an advertising form: `dubai_marina`.
  const texts = joined.flatMap((text) => [text, text.replaceAll('_', ' ')]);
  const asCodes = () => texts.map((text) => currencyCode(text) ?? text);
  return [...new Set(field === 'currency' ? asCodes() : texts)];
}

function textGroups({ answerLabels, value, optionKeys }: QuizAnswer): string[][] {
  const valueTexts = typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  return [answerLabels, valueTexts, optionKeys].filter((texts) => texts.length > 0);
}

/** Amounts in two currencies fill nothing. */
function budgetFills(answersFor: (field: string) => ReadAnswer[]): Fill[] {
  const [whole] = amountsOf(answersFor('budget'));
  const min = firstEnd('min', amountsOf(answersFor('budgetMin')), whole);
  const max = firstEnd('max', amountsOf(answersFor('budgetMax')), whole);
  const used = [min, max].flatMap((end) => (end?.value ? end.amount : []));
  const quantity = combineQuantities(used);
  if (quantity === null) return [];
  return [
    { field: 'budgetMin', value: min?.value },
    { field: 'budgetMax', value: max?.value },
    { field: 'currency', value: quantity.currency ?? undefined },
  ];
}

/** The first end with a value. One number for the whole budget is the maximum. */
function firstEnd(bound: BoundSide, own: AmountMeaning[], whole: AmountMeaning | undefined) {
  const ends = own.map((amount) => ({ value: endOf(amount, bound, bound), amount }));
  if (whole) ends.push({ value: endOf(whole, bound, 'max'), amount: whole });
  return ends.find(({ value }) => value !== null) ?? ends[0];
}

function endOf(amount: AmountMeaning, bound: BoundSide, boundOfNumber: BoundSide) {
  if (amount.kind === 'range') return amount[bound];
  return bound === boundOfNumber ? amount.value : null;
}

function amountsOf(answers: ReadAnswer[]): AmountMeaning[] {
  return answers
    .flatMap((answer) => amountOf(answer) ?? [])
    .filter((amount) => amount.kind === 'range' || !amount.value.startsWith('-'));
}

/** From the value, the label (`AED 1-2 million`) or a key in words (`1_to_2_million`): other keys are opaque. */
function amountOf(answer: ReadAnswer): AmountMeaning | undefined {
  const { reading, value, answerLabels, optionKeys, currency } = answer;
  if (reading.kind !== 'choice' && reading.kind !== 'text') return asAmounts(reading)[0];
  const labels = answerLabels.length === 1 ? answerLabels : [];
  const isOnlyKey = value === null && answerLabels.length === 0 && optionKeys.length === 1;
  const keys = isOnlyKey ? optionKeys.filter((key) => !OPAQUE_KEY.test(key)) : [];
  const amounts = [value, ...labels, ...keys].flatMap((text) =>
    asAmounts(readValue(text, currency)),
  );
  return amounts.find((amount) => amount.kind === 'range') ?? amounts[0];
}

const OPAQUE_KEY = /^[\p{Nd}_-]*$/u;

/** Three bedrooms are not a budget. */
function asAmounts(reading: Reading): AmountMeaning[] {
  return 'unit' in reading && reading.unit === null ? [reading] : [];
}
