import type Koa from 'koa';
import { isRecord } from '../../domain/canonical-json.ts';
import { storableText } from '../../domain/written-text.ts';
import { ApiError } from '../errors.ts';
import type { RequestBody } from './body.ts';
import type { Route } from './route.ts';

const FORM = 'application/x-www-form-urlencoded';
const MAX_FORM_FIELDS = 1000;
const MAX_DEPTH = 32;

type Parse = (text: string) => Record<string, unknown>;
type Parameters = Record<string, string | string[]>;

export function parserFor(route: Route, request: Koa.Request, body: RequestBody): Parse {
  const type = request.type.toLowerCase();
  if (type === '' && body.isEmpty) return parseJsonObject;
  if (/^(utf-?8)?$/i.test(request.charset)) {
    if (type === 'application/json') return parseJsonObject;
    if (type === FORM && route.alsoAccepts?.includes(FORM)) return parseForm;
  }
  const accepted = ['application/json', ...(route.alsoAccepts ?? [])].join(' or ');
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${accepted} in UTF-8.`);
}

/** A repeated name becomes a list, which no single-valued schema accepts. */
export function parseParameters(text: string): Parameters {
  const byName = Map.groupBy(new URLSearchParams(text), ([name]) => storableText(name));
  return Object.fromEntries(Array.from(byName, ([name, pairs]) => [name, valueOf(pairs)]));
}

function valueOf(pairs: readonly [name: string, value: string][]): string | string[] {
  const [first = '', ...others] = pairs.map(([, value]) => storableText(value));
  return others.length === 0 ? first : [first, ...others];
}

/** Counts fields before parsing any, since a body may be far longer than a query. */
function parseForm(text: string): Parameters {
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) {
    throw new ApiError('BAD_REQUEST', `The body has more than ${MAX_FORM_FIELDS} fields.`);
  }
  return parseParameters(text);
}

function parseJsonObject(text: string): Record<string, unknown> {
  const value = parseJson(text);
  if (!isRecord(value) || value instanceof InexactNumber) {
    throw new ApiError('BAD_REQUEST', 'The body must be a JSON object.');
  }
  return cleanValue(value, 1) as Record<string, unknown>;
}

/** Outside the range of a double, such as `1e400`. */
class InexactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** In these fields, an inexact number becomes a string, as it was written. */
const UNTYPED = ['quiz', 'comments'];

/** More than 15 digits or an exponent: only the slower parsing keeps these exact. */
const MAY_BE_INEXACT = /\d{16}|\d[eE]\+?\d/;

function keepInexact(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const isInexact = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return isInexact && source !== undefined ? new InexactNumber(source) : value;
}

function parseJson(text: string): unknown {
  try {
    return MAY_BE_INEXACT.test(text) ? JSON.parse(text, keepInexact) : JSON.parse(text);
  } catch {
    throw new ApiError('BAD_REQUEST', 'The body is not valid JSON.');
  }
}

/** `Object.fromEntries` makes even `__proto__` an ordinary field. */
function cleanValue(value: unknown, depth: number, isUntyped = false): unknown {
  if (typeof value === 'string') return storableText(value);
  if (value instanceof InexactNumber) return isUntyped ? value.source : Number(value.source);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) {
    throw new ApiError('BAD_REQUEST', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  }
  if (Array.isArray(value)) return value.map((entry) => cleanValue(entry, depth + 1, isUntyped));
  const entries = Object.entries(value).map(([name, entry]) => {
    const isWithin = isUntyped || (depth === 1 && UNTYPED.includes(name));
    return [storableText(name), cleanValue(entry, depth + 1, isWithin)] as const;
  });
  return Object.fromEntries(entries);
}
