import * as z from 'zod';

/** The kinds of values that records are made of. Null is as if omitted: the default holds. */

const MAX_TEXT = 20_000;

/** Postgres holds neither NUL nor half a surrogate pair. */
const text = z
  .string()
  .max(MAX_TEXT)
  .refine((value) => !value.includes('\u0000') && value.isWellFormed(), 'Holds a broken character')
  .transform((value) => value.trim());

export const name = text.refine((value) => value !== '', 'Must not be empty');

export const optionalText = text.nullish().transform((value) => value || null);

export const optionalName = name.nullish().transform((value) => value ?? null);

export const optionalId = z
  .guid('Expected a uuid')
  .nullish()
  .transform((value) => value?.toLowerCase());

export function flag(byDefault: boolean) {
  return z
    .boolean()
    .nullish()
    .transform((value) => value ?? byDefault);
}

function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
}

export const names = listOf(name);

/** Kept as text: a price is never rounded. */
export const optionalAmount = z
  .union([z.number().min(0).transform(String), z.string().trim()])
  .refine((value) => /^\d{1,18}(\.\d{1,6})?$/.test(value), 'Expected an amount such as "1450000"')
  .nullish()
  .transform((value) => value ?? null);

export const optionalDate = z.iso
  .date('Expected a date such as "2028-06-30"')
  .nullish()
  .transform((value) => value ?? null);

export const latitude = z
  .number()
  .min(-90)
  .max(90)
  .nullish()
  .transform((value) => value ?? null);
export const longitude = z
  .number()
  .min(-180)
  .max(180)
  .nullish()
  .transform((value) => value ?? null);

export const optionalCap = z
  .int()
  .min(0)
  .nullish()
  .transform((value) => value ?? null);
