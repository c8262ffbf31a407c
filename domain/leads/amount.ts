import { readValue } from '../quiz/answer.ts';
import { withoutInvisible } from '../written-text.ts';

const NUMERIC = /^\+?0*(\d{1,3}(?:,\d{3}){1,5}|\d{1,18})((?:\.\d{1,12})?)$/;

/** A decimal string, never a binary float: ` 01,500.50 ` is 1500.50. Reads words as in a quiz (`AED 1.5M`). */
export function readAmount(sent: unknown, field: string) {
  const text = withoutInvisible(String(sent)).trim();
  const [, whole, fraction = ''] = NUMERIC.exec(text) ?? [];
  if (whole !== undefined) return { value: whole.replaceAll(',', '') + fraction, currency: null };
  // No exponent: 1e-7 is 0.0000001.
  if (typeof sent === 'number')
    return { value: sent.toFixed(12).replace(/\.?0+$/, ''), currency: null };
  const reading = readValue(text, null);
  if (!('unit' in reading) || reading.unit !== null) return null;
  const end = field === 'budgetMin' ? 'min' : 'max';
  const value = reading.kind === 'range' ? reading[end] : reading.value;
  return value === null || value.startsWith('-') ? null : { value, currency: reading.currency };
}
