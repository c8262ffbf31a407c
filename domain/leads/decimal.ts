/** Amounts are decimal texts throughout: money never passes through binary floating point. */

/** Digits, with thousands separators or without; as many as any price has. */
export const NUMERIC = /^\s*\+?(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,18})(?:\.\d{1,12})?\s*$/;

/** A sent amount in its plain form, or undefined where it is blank: ` 01,500.50 ` is 1500.50. */
export function decimalText(sent: string | number): string | undefined {
  const text = typeof sent === 'number' ? plainDecimal(sent) : sent.trim().replace(/[,+]/g, '');
  return text === '' ? undefined : text.replace(/^0+(?=\d)/, '');
}

/** No exponent: 1e-7 is 0.0000001. */
function plainDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(12).replace(/\.?0+$/, '') : text;
}

/** 2100000 and 2100000.00 are one amount. */
export function isSameAmount(a: string, b: string): boolean {
  return canonical(a) === canonical(b);
}

function canonical(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}
