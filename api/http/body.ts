import type { IncomingMessage } from 'node:http';
import inflate from 'inflation';
import getRawBody from 'raw-body';
import { ApiError } from '../errors.ts';

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 32;

const tooLarge = () => new ApiError('PAYLOAD_TOO_LARGE', 'The body is larger than 256 KiB.');

/** The bytes of the body, unpacked; nothing is parsed yet. */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > MAX_BYTES) throw tooLarge();
  try {
    return await getRawBody(inflate(request), { limit: MAX_BYTES });
  } catch (error) {
    throw bodyError(error as Error & { type?: string; status?: number });
  }
}

function bodyError(error: Error & { type?: string; status?: number }): ApiError {
  if (error.type === 'entity.too.large') return tooLarge();
  if (error.status === 415) {
    return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not supported.');
  }
  return new ApiError('BAD_REQUEST', 'The body could not be read.');
}

/** The JSON text of a body; throws 400 where the bytes are not UTF-8. */
export function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('BAD_REQUEST', 'The body is not valid UTF-8.');
  }
}

/** A JSON object, free of what the database cannot hold: NUL and lone surrogates. */
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

function cleanText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

export function parseForm(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}
