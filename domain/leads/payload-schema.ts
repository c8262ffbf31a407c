import { z } from 'zod';
import { isBlank, limitedText } from '../written-text.ts';
import { adPlatform } from './ad-platform.ts';
import { readAmount } from './amount.ts';
import { comments } from './comments.ts';
import { fields, type Field } from './fields.ts';

export const NOT_BLANK = { pattern: '\\S' };

const NO_DECIMAL =
  'must be a number from 0 to 9007199254740991, or a text of one with at most 18 digits before the point and 12 after it';
const decimal = (field: string) =>
  z.union(
    [
      z.string().refine((text) => isBlank(text) || readAmount(text, field) !== null, NO_DECIMAL),
      z.number().min(0, NO_DECIMAL).max(Number.MAX_SAFE_INTEGER, NO_DECIMAL),
    ],
    { error: NO_DECIMAL },
  );

/** PHP and forms send a blank string, an empty list or an empty map. */
const isEmptyValue = (sent: unknown) =>
  isBlank(sent) || (sent instanceof Object && Object.keys(sent).length === 0);

function omitting<Schema extends z.ZodType>(isOmitted: (sent: unknown) => boolean, schema: Schema) {
  return z.preprocess((sent) => (isOmitted(sent) ? undefined : sent), schema.optional());
}

/** A longer chain is cut, not refused. */
const addresses = z
  .string()
  .overwrite((chain) => /^.{0,64}$|^.{0,63}[^,\s](?=[,\s])|^.{0,64}/su.exec(chain)?.[0] ?? '')
  .meta({ maxLength: 64 });

function limitedList(entry: z.ZodString, maxItems: number): z.ZodType {
  const list = z
    .array(entry)
    .refine((entries) => entries.filter((text) => !isBlank(text)).length <= maxItems, {
      error: `must have at most ${maxItems} entries`,
      when: ({ value }) => Array.isArray(value),
    })
    .meta({ maxItems });
  const cut = (sent: unknown) => (Array.isArray(sent) ? upToFirstTooMany(sent, maxItems) : sent);
  return omitting(isEmptyValue, z.preprocess(cut, list));
}

/** Drops entries after the first one too many, so that they raise no further issues. */
function upToFirstTooMany(sent: readonly unknown[], maxItems: number): unknown[] {
  // Null becomes a blank entry, since issues name an entry by its index.
  const entries = sent.map((entry) => entry ?? '');
  let counted = 0;
  const end = entries.findIndex((entry) => !isBlank(entry) && (counted += 1) > maxItems);
  return end < 0 ? entries : entries.slice(0, end + 1);
}

function valueOf({ name, type, match, maxLength, maxEntries = 50 }: Field): z.ZodType {
  const text = limitedText(maxLength, typeof match === 'object' || match === 'listing');
  switch (type) {
    case 'text':
      return name === 'ipAddress' ? addresses : text;
    case 'dateTime':
      return omitting((sent) => typeof sent === 'number', text);
    case 'texts':
      return limitedList(text, maxEntries);
    case 'decimal':
      return decimal(name);
  }
}

function fieldShape(chosen: readonly Field[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    chosen.map((field) => [field.name, valueOf(field).nullish().describe(field.note)]),
  );
}

export const MAX_QUIZ_ANSWERS = 500;

/** Unreadable content is stored and flagged. */
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
  adPlatform: omitting(isEmptyValue, adPlatform).nullish(),
  quiz: omitting(isEmptyValue, quiz).nullish(),
  comments: omitting((sent) => !Array.isArray(sent) && isEmptyValue(sent), comments).nullish(),
};

export const createPayload = z.looseObject({ ...fieldShape(fields), ...blocks });
export const updatePayload = z.looseObject({
  ...fieldShape(fields.filter((field) => !field.createOnly)),
  ...blocks,
});

/** Unknown fields are stored only in the submission. */
export type Payload = z.infer<typeof createPayload> & {
  adPlatform?: z.infer<typeof adPlatform> | null;
  quiz?: z.infer<typeof quiz> | null;
  comments?: z.infer<typeof comments> | null;
};
