/** An exact decimal: 1.1 million is 1100000, not 1100000.0000000001. */
export type Decimal = { readonly coefficient: bigint; readonly places: number };

export const HUNDRED = decimal('100');
export const THOUSAND = decimal('1000');

export function decimal(integer: string, fraction = ''): Decimal {
  return { coefficient: BigInt(integer + fraction), places: fraction.length };
}

export function add(a: Decimal, b: Decimal): Decimal {
  const places = Math.max(a.places, b.places);
  return { coefficient: atPlaces(a, places) + atPlaces(b, places), places };
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { coefficient: a.coefficient * b.coefficient, places: a.places + b.places };
}

export function negate(a: Decimal): Decimal {
  return { coefficient: -a.coefficient, places: a.places };
}

export function compare(a: Decimal, b: Decimal): number {
  const places = Math.max(a.places, b.places);
  const difference = atPlaces(a, places) - atPlaces(b, places);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** Decimal text without exponent and without needless zeros. */
export function decimalText({ coefficient, places }: Decimal): string {
  const sign = coefficient < 0n ? '-' : '';
  const digits = String(coefficient < 0n ? -coefficient : coefficient).padStart(places + 1, '0');
  const integer = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/u, '');
  return sign + integer + (fraction === '' ? '' : `.${fraction}`);
}

function atPlaces({ coefficient, places }: Decimal, wanted: number): bigint {
  return coefficient * 10n ** BigInt(wanted - places);
}
