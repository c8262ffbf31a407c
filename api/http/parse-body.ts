import { ApiError } from '../errors.ts';
import { cleanText } from './clean-text.ts';

const MAX_DEPTH = 32;

/** A JSON object, free of what the database cannot hold. */
export function parseObject(text: string): Record<string, unknown> {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('BAD_REQUEST', 'The body must be a JSON object.');
  }
  return cleaned(value, 1) as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('BAD_REQUEST', 'The body is not valid JSON.');
  }
}

/** `Object.fromEntries` makes even `__proto__` a field like any other. */
function cleaned(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) {
    throw new ApiError('BAD_REQUEST', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  }
  if (Array.isArray(value)) return value.map((entry) => cleaned(entry, depth + 1));
  const entries = Object.entries(value).map(([name, entry]) => [
    cleanText(name),
    cleaned(entry, depth + 1),
  ]);
  return Object.fromEntries(entries);
}
