import { fields, fieldByName } from './fields.ts';
import type { Field } from './fields.ts';
import type { Payload, SentComment } from './payload-schema.ts';

/** What a field says once blanks are gone: a text, texts, or null, which an update clears by. */
export type SentValue = string | string[] | null;

/** A body of create or update, reduced to what it really says. */
export interface Enquiry {
  /** Fields with a value; on an update also the ones that an explicit null clears. */
  values: ReadonlyMap<string, SentValue>;
  adPlatform: Record<string, unknown> | null;
  quiz: Record<string, unknown> | null;
  comments: { first: SentComment[]; skipped: number } | null;
}

/**
 * An empty string is as if omitted. Null is as if omitted on create and clears on update
 * (Create and update rules; update rules 1 and 2).
 */
export function enquiryFrom(payload: Payload, kind: 'create' | 'update'): Enquiry {
  const values = new Map<string, SentValue>();
  for (const field of fields) {
    if (kind === 'update' && field.createOnly) continue;
    const value = sentValue(field, (payload as Record<string, unknown>)[field.name]);
    if (value === undefined || (value === null && kind === 'create')) continue;
    values.set(field.name, value);
  }
  return {
    values,
    adPlatform: payload.adPlatform ?? null,
    quiz: payload.quiz ?? null,
    comments: payload.comments ?? null,
  };
}

function sentValue(field: Field, sent: unknown): SentValue | undefined {
  if (sent === undefined) return undefined;
  if (sent === null) return field.match === 'handle' ? undefined : null;
  if (Array.isArray(sent)) return listOf(sent as string[]);
  if (field.type === 'decimal') return decimalText(sent as string | number);
  const text = sent as string;
  return text.trim() === '' ? undefined : text;
}

function listOf(sent: string[]): string[] | undefined {
  const entries = sent.filter((entry) => entry.trim() !== '');
  return entries.length > 0 ? entries : undefined;
}

function decimalText(sent: string | number): string | undefined {
  const text = typeof sent === 'number' ? plainDecimal(sent) : sent.trim().replaceAll(',', '');
  return text === '' ? undefined : text;
}

/** No exponent: 1e-7 is 0.0000001. */
function plainDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(10).replace(/\.?0+$/, '') : text;
}

export function textOf(enquiry: Enquiry, name: string): string | null {
  const value = enquiry.values.get(name);
  return typeof value === 'string' ? value : null;
}

export function textsOf(enquiry: Enquiry, name: string): string[] {
  const value = enquiry.values.get(name);
  return Array.isArray(value) ? value : [];
}

export function isField(name: string): boolean {
  return fieldByName.has(name);
}
