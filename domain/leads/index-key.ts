import { createHash } from 'node:crypto';

const MAX_LENGTH = 255;

/** A text as a unique index can hold it: a longer one is stood for by its digest. */
export function indexKey(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
