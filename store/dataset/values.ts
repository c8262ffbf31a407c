import * as z from 'zod';
import { nameText } from '../../domain/written-text.ts';

export const ENABLED = 'A record that is switched off stays in old leads and matches no new one.';

const MAX_TEXT = 20_000;

/** Postgres stores neither NUL nor half a surrogate pair. */
export const storable = z
  .string()
  .refine((value) => !value.includes('\u0000') && value.isWellFormed(), 'Holds a broken character');

const text = storable.max(MAX_TEXT).transform((value) => value.trim());

export const name = text.transform(nameText).refine((value) => value !== '', 'Must not be empty');

export const lowerCaseName = name.transform((value) => value.toLowerCase());

export function orDefault<Schema extends z.ZodType, Default>(schema: Schema, byDefault: Default) {
  const withDefault = schema.nullish().transform((value) => value ?? byDefault);
  return byDefault === null ? withDefault : withDefault.meta({ default: byDefault });
}

function orNull<Schema extends z.ZodType>(schema: Schema) {
  return orDefault(schema, null);
}

export function listOf<Item extends z.ZodType>(item: Item) {
  return orDefault(z.array(item), []);
}

export const optionalText = text.nullish().transform((value) => value || null);

export const optionalName = orNull(name);

export const optionalId = z
  .guid('Expected a uuid')
  .nullish()
  .transform((value) => value?.toLowerCase())
  .describe('The record’s permanent id. By default a new one.');

export function flag(byDefault: boolean) {
  return orDefault(z.boolean(), byDefault);
}

export const names = listOf(name);

const GROUPED = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/;

export function withoutGrouping(text: string): string {
  return GROUPED.test(text) ? text.replaceAll(',', '') : text;
}

/** A string, so that a price is never rounded. */
export const optionalAmount = orNull(
  z
    .union([z.number().min(0).transform(String), z.string().trim().transform(withoutGrouping)])
    .refine(
      (value) => /^\d{1,18}(\.\d{1,6})?$/.test(value),
      'Expected an amount such as "1450000"',
    ),
);

export const optionalDate = orNull(z.iso.date('Expected a date such as "2028-06-30"'));

export const latitude = orNull(z.number().min(-90).max(90)).describe('Degrees north.');
export const longitude = orNull(z.number().min(-180).max(180)).describe('Degrees east.');

const MAX_CAP = 2_147_483_647;

export const optionalCap = orNull(z.int().min(0).max(MAX_CAP));
