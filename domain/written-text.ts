import { characterEntities } from 'character-entities';
import { z } from 'zod';

const DIGIT_OF_ANOTHER_SCRIPT = /(?![0-9])\p{Nd}/gu;

export function withWesternDigits(text: string): string {
  return text.replace(DIGIT_OF_ANOTHER_SCRIPT, westernDigit);
}

const IS_DIGIT = /^\p{Nd}$/u;

/** Unicode has the digits of each script in a row from zero to nine. The next script's may follow at once. */
function westernDigit(digit: string): string {
  const last = digit.codePointAt(0) ?? 0;
  let first = last;
  while (IS_DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((last - first) % 10);
}

/** Copied Arabic text is full of them. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

const REPEATED_AMPERSAND = /&(?:(?:amp|#0*38|#x0*26);)+/gi;
const HTML_ENTITY = /&(?:#(\d{1,6}|x[\da-f]{1,5})|(\w+));/gi;

/** Also those of a text that was encoded more than once (`&amp;nbsp;`). */
export function decodeHtmlEntities(text: string): string {
  return text.replace(REPEATED_AMPERSAND, '&').replace(HTML_ENTITY, decodeEntity);
}

function decodeEntity(entity: string, number?: string, name = ''): string {
  const named = Object.hasOwn(characterEntities, name) ? characterEntities[name] : undefined;
  if (number === undefined) return named ?? entity;
  const character = String.fromCodePoint(Number(`0${number}`));
  return character > '\0' && character.isWellFormed() ? character : entity;
}

export function nameText(text: string): string {
  return decodeHtmlEntities(text).replace(/\s+/g, ' ').trim();
}

const DASH = /[\p{Pd}\u2212]/gu;

/** The one form that all spellings share: compatibility forms, digits, dashes, apostrophes and spaces. */
export function plainText(text: string): string {
  const plain = withWesternDigits(withoutInvisible(decodeHtmlEntities(text)).normalize('NFKC'));
  return nameText(plain.replace(DASH, '-').replace(/[‘’‛]/g, "'"));
}

/** Invisible characters count as blank, such as the direction mark that a form adds. */
export function isBlank(text: unknown): boolean {
  return typeof text === 'string' && withoutInvisible(text).trim() === '';
}

/** Postgres cannot store NUL and lone surrogates. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const entries = Object.entries(value).map(([name, each]) => [map(name), mapTexts(each, map)]);
  return Object.fromEntries(entries);
}

const SURROGATE_PAIR = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

/** Code points, so that 255 emoji count as 255. */
export function charactersIn(text: string): number {
  return text.length - (text.match(SURROGATE_PAIR)?.length ?? 0);
}

export function cutText(text: string | null, maxLength: number): string | null {
  return text && [...text.slice(0, 2 * maxLength)].slice(0, maxLength).join('');
}

export function limitedText(maxLength?: number, isLookup = false): z.ZodString {
  const text = z.string();
  if (maxLength === undefined) return text;
  // A lookup is trimmed before it is matched, so the space around it does not count.
  const isShort = (value: string) =>
    charactersIn(isLookup ? withoutInvisible(value).trim() : value) <= maxLength;
  return text.refine(isShort, `must have at most ${maxLength} characters`).meta({ maxLength });
}
