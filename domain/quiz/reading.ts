/** Stored with every reading, so that answers read by an older parser can be read again. */
export const PARSER_VERSION = '8';

export type ReadingRule =
  ValueMeaning['kind'] | 'choice' | 'json_number' | 'json_boolean' | 'label' | 'blank' | 'none';

export type UnreadReason = 'entry_unreadable' | 'value_type' | 'too_long' | 'not_understood';

/** Numbers are decimal strings without exponent, so that money is never a binary float. */
export type Quantity = {
  readonly unit: string | null;
  /** ISO 4217. Null if unknown or ambiguous. */
  readonly currency: string | null;
  readonly currencyWord: string | null;
  readonly approximate: boolean;
};

export const NO_QUANTITY: Quantity = {
  unit: null,
  currency: null,
  currencyWord: null,
  approximate: false,
};

export type NumberMeaning = Quantity & {
  readonly kind: 'number' | 'money';
  readonly value: string;
};
/** An open end is null; the ends are never in reverse order. */
export type RangeMeaning = Quantity & {
  readonly kind: 'range';
  readonly min: string | null;
  readonly max: string | null;
};
/** `date` is as precise as the answer: `2026-03-15`, `2026-03` or `2026-Q1`. */
export type DateMeaning = {
  readonly kind: 'date';
  readonly precision: 'time' | 'day' | 'month' | 'quarter';
  readonly date: string;
  readonly time: string | null;
};
export type YesNoMeaning = { readonly kind: 'yes_no'; readonly value: boolean };

export type AmountMeaning = NumberMeaning | RangeMeaning;
export type ValueMeaning = AmountMeaning | DateMeaning | YesNoMeaning;

export type Meaning =
  | ValueMeaning
  | { readonly kind: 'choice'; readonly optionKeys: string[]; readonly labels: string[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'blank' }
  | { readonly kind: 'unread'; readonly reason: UnreadReason };

export type Reading = Meaning & {
  readonly raw: unknown;
  readonly rule: ReadingRule;
  readonly parserVersion: string;
  readonly flagged: boolean;
};

export function readingOf(meaning: Meaning, rule: ReadingRule, raw: unknown): Reading {
  const flagged = meaning.kind === 'unread';
  return { ...meaning, raw, rule, parserVersion: PARSER_VERSION, flagged };
}
