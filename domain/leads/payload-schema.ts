import { z } from 'zod';
import { isBlank, limitedText, withoutInvisible } from '../written-text.ts';
import { adPlatform } from './ad-platform.ts';
import { comments } from './comments.ts';
import { fields, type Field } from './fields.ts';

/** The body of create and update: fields by the field table, others accepted unread. Null is an empty value. */

const BLANK = '^\\s*$';

/** JSON Schema of an entry that counts. */
export const NOT_BLANK = { pattern: '\\S' };

/** Digits, with thousands separators or without, as many as any price has. */
const NUMERIC = /^\s*\+?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,18})(?:\.\d{1,12})?\s*$/;

/** The form that the document asks for; more forms are accepted. */
const PLAIN_DECIMAL = '^\\d{1,18}(\\.\\d{1,12})?$';

const NO_DECIMAL =
  'must be a number from 0 to 9007199254740991, or a text of one with at most 18 digits before the point and 12 after it';
const NUMERIC_OR_BLANK = new RegExp(`${NUMERIC.source}|${BLANK}`);
const decimal = z.union(
  [
    z
      .string()
      .overwrite(withoutInvisible)
      .regex(NUMERIC_OR_BLANK, NO_DECIMAL)
      .meta({ pattern: PLAIN_DECIMAL }),
    z.number().min(0, NO_DECIMAL).max(Number.MAX_SAFE_INTEGER, NO_DECIMAL),
  ],
  { error: NO_DECIMAL },
);

/**
 * A blank text counts as omitted, since some senders have it for an empty list. Blank entries do not count, nor does null;
 * the length is checked whatever else is wrong.
 */
function limitedList(entry: z.ZodString, maxItems: number): z.ZodType {
  const list = z
    .array(entry)
    .refine((entries) => entries.filter((text) => !isBlank(text)).length <= maxItems, {
      error: `must have at most ${maxItems} entries`,
      when: ({ value }) => Array.isArray(value),
    })
    .meta({ maxItems });
  const read = (sent: unknown) => {
    if (Array.isArray(sent)) return upToFirstTooMany(sent, maxItems);
    return isBlank(sent) ? undefined : sent;
  };
  return z.preprocess(read, list.optional());
}

/** Entries after the first one too many are dropped, lest each raise an issue of its own. */
function upToFirstTooMany(sent: readonly unknown[], maxItems: number): unknown[] {
  // Issues name an entry by its index, so null becomes a blank entry and is not taken out.
  const entries = sent.map((entry) => entry ?? '');
  let counted = 0;
  const end = entries.findIndex((entry) => !isBlank(entry) && (counted += 1) > maxItems);
  return end < 0 ? entries : entries.slice(0, end + 1);
}

function valueOf({ type, match, maxLength, maxEntries = 50 }: Field): z.ZodType {
  const text = limitedText(maxLength, typeof match === 'object' || match === 'listing');
  switch (type) {
    case 'text':
    case 'dateTime':
      return text;
    case 'texts':
      return limitedList(text, maxEntries);
    case 'decimal':
      return decimal;
  }
}

function fieldShape(chosen: readonly Field[]): Record<string, z.ZodType> {
  const described = chosen.map((field) => {
    const schema = valueOf(field).nullish();
    return [field.name, field.note ? schema.meta({ description: field.note }) : schema];
  });
  return Object.fromEntries(described) as Record<string, z.ZodType>;
}

export const MAX_QUIZ_ANSWERS = 500;

/** The schema of a quiz validates only its size: unreadable content is kept and flagged. */
const quiz = z.looseObject({
  answers: z
    .unknown()
    .refine(
      (answers) => !Array.isArray(answers) || answers.length <= MAX_QUIZ_ANSWERS,
      `must have at most ${MAX_QUIZ_ANSWERS} entries`,
    )
    .optional()
    .meta({ maxItems: MAX_QUIZ_ANSWERS }),
});

const blocks = {
  adPlatform: adPlatform.nullish(),
  quiz: quiz.nullish(),
  comments: comments.nullish(),
};

export const createPayload = z.looseObject({ ...fieldShape(fields), ...blocks });
export const updatePayload = z.looseObject({
  ...fieldShape(fields.filter((field) => !field.createOnly)),
  ...blocks,
});

/** A validated body: values by field name and the blocks; unknown fields are kept only in the submission. */
export type Payload = z.infer<typeof createPayload> & {
  adPlatform?: z.infer<typeof adPlatform> | null;
  quiz?: z.infer<typeof quiz> | null;
  comments?: z.infer<typeof comments> | null;
};
