import type { BoundSide, Lexeme, LexemeKind, LexemeOf, ScaleForm } from './amount-words.ts';
import { hasDecimalComma } from './locale-names.ts';
import type { Quantity } from './reading.ts';
import { multiply, numeralOf, ONE, THOUSAND, type Decimal, type Numeral } from './numeral.ts';

export type End = {
  readonly amount: Amount;
  readonly negative: boolean;
  readonly hundreds: boolean;
  readonly bound: BoundSide | null;
  readonly quantity: Quantity;
};

export function readEnd(lexemes: readonly Lexeme[]): End | null {
  const cursor = new Cursor(lexemes);
  const negative = cursor.take('minus') !== null;
  const before = takeMeanings(cursor, 'before');
  const amount = takeAmount(cursor);
  const meanings = [...before, ...takeMeanings(cursor, 'after')];
  const quantity = combineQuantities(meanings);
  const [bound = null, another] = meanings.flatMap((meaning) => meaning.bound ?? []);
  if (amount === null || quantity === null || another !== undefined || cursor.next(1).length > 0)
    return null;
  if (unitMayBeOfLastCount(amount, quantity.unit, lexemes)) return null;
  return { amount, negative, hundreds: lexemes.some(isHundred), bound, quantity };
}

/** In euros, `500.000` is half a million and `19,1` has a decimal comma. */
export function besideCurrency(end: End, { currency }: Quantity): End {
  const { amount } = end;
  if (amount.kind === 'scaled' || amount.numeral.withDecimalComma === null) return end;
  if (currency === null || !hasDecimalComma(currency)) return end;
  const numeral = { ...amount.numeral, alone: amount.numeral.withDecimalComma };
  return { ...end, amount: { ...amount, numeral } };
}

const AREA_UNITS = new Set(['sqft', 'sqm']);

/** `50 thousand and 200 sqft` may be a price and an area, but words are one area: `two thousand five hundred sqft`. */
function unitMayBeOfLastCount(amount: Amount, unit: string | null, lexemes: readonly Lexeme[]) {
  if (amount.kind === 'bare' || amount.scale !== ONE || unit === null) return false;
  return !AREA_UNITS.has(unit) || lexemes.some(({ kind }) => kind === 'numeral');
}

function isHundred(lexeme: Lexeme): boolean {
  return lexeme.kind === 'count' && /-hundreds?$/u.test(lexeme.rank);
}

type Place = 'before' | 'after';
type WordMeaning = Partial<Quantity> & { readonly bound?: BoundSide };

function takeMeanings(cursor: Cursor, place: Place): WordMeaning[] {
  const meanings: WordMeaning[] = [];
  for (let meaning; (meaning = cursor.takeAs((lexeme) => meaningOf(lexeme, place)));)
    meanings.push(meaning);
  return meanings;
}

function meaningOf(lexeme: Lexeme, place: Place): WordMeaning | null {
  const isBefore = place === 'before';
  switch (lexeme.kind) {
    case 'currency':
      return { currency: lexeme.code, currencyWord: lexeme.word };
    case 'approximately':
      return { approximate: true };
    case 'bound':
      return lexeme.place === 'both' || lexeme.place === place ? { bound: lexeme.side } : null;
    case 'unit':
      return isBefore ? null : { unit: lexeme.unit };
    case 'filler':
      return {};
    case 'suffix':
      return isBefore ? null : {};
    case 'from':
      return isBefore ? { bound: 'min' } : null;
    case 'tilde':
      return isBefore ? { approximate: true } : null;
    default:
      return null;
  }
}

export function combineQuantities(quantities: readonly Partial<Quantity>[]): Quantity | null {
  const [unit = null, otherUnit] = new Set(quantities.flatMap((each) => each.unit ?? []));
  const [money, ...others] = quantities.filter((each) => each.currencyWord);
  const { currency = null, currencyWord = null } = money ?? {};
  const isSame = (other: Partial<Quantity>) =>
    other.currency === currency && (currency !== null || other.currencyWord === currencyWord);
  if (otherUnit !== undefined || !others.every(isSame) || (unit !== null && money)) return null;
  const approximate = quantities.some((each) => each.approximate);
  return { unit, currency, currencyWord, approximate };
}

/** May take the scale of the other end of its range. */
type Bare = { readonly kind: 'bare'; readonly numeral: Numeral; readonly worded: boolean };
type Scaled = {
  readonly kind: 'scaled';
  readonly value: Decimal;
  /** Of its last part, one if that is a count without a scale: `ألف وخمسمائة`. */
  readonly scale: Decimal;
  readonly form: ScaleForm | 'fraction';
  /** A sum has no scale for the other end of a range. */
  readonly isSum: boolean;
};
type Amount = Bare | Scaled;

/** The longest amount that begins here: `2 million 500 thousand`, `ألف وخمسمائة`, `1.5m`. */
function takeAmount(cursor: Cursor): Amount | null {
  let amount = takeTerm(cursor);
  while (amount?.kind === 'scaled') {
    const before = amount;
    const more = cursor.attempt(() => takeSmallerTerm(cursor, before));
    if (more === null) break;
    amount = { ...more, value: before.value + more.value, isSum: true };
  }
  return amount;
}

/** Only after a whole number of its scale: `0.5m and 0.75m`, `half a million and 750k` are two amounts. */
function takeSmallerTerm(cursor: Cursor, before: Scaled): Scaled | null {
  if (before.value % before.scale !== 0n) return null;
  const isJoined = cursor.take('and') !== null;
  const term = takeTerm(cursor);
  if (term?.kind === 'bare') return afterThousand(term, isJoined, before);
  if (term === null || term.value >= before.scale) return null;
  // A fraction may be of the same scale: `مليون ونصف المليون`.
  return term.form === 'fraction' || term.scale < before.scale ? term : null;
}

/** Only "thousand" is clear. Digits need the "and", or `50 thousand 100` would be 50,100, and at least a hundred. */
function afterThousand(term: Bare, isJoined: boolean, before: Scaled): Scaled | null {
  const value = term.numeral.alone;
  if (value === null || before.form === 'abbreviated' || before.scale !== THOUSAND) return null;
  const isCertain = term.worded || (isJoined && value >= 100n * ONE);
  const fits = value < THOUSAND && isCertain;
  return fits ? scaled(value, ONE, 'counted') : null;
}

/** One count with at most one scale: `1,5 million`, `half a million`, `مليون ونصف`, `250`. */
function takeTerm(cursor: Cursor): Amount | null {
  const article = cursor.take('article');
  const fraction = cursor.take('fraction');
  if (fraction !== null) return takeFractionOfScale(cursor, fraction.value);
  const scale = cursor.take('scale', ({ form }) => form === 'whole');
  if (scale !== null) return withFraction(cursor, scaled(scale.value, scale.value, 'whole'));
  return article !== null && !cursor.next(1).some(isHundred) ? null : takeCountedTerm(cursor);
}

function scaled(value: Decimal, scale: Decimal, form: Scaled['form']): Scaled {
  return { kind: 'scaled', value, scale, form, isSum: false };
}

export function under(scale: Decimal, numeral: Numeral): Decimal | null {
  const worth = scale === THOUSAND ? numeral.underThousand : numeral.underMillion;
  return worth === null ? null : multiply(worth, scale);
}

/** `half a million`, `quarter of a million`, or `half`, which needs the scale of a range. */
function takeFractionOfScale(cursor: Cursor, fraction: Decimal): Amount {
  const scale = cursor.attempt(() => takeWholeScale(cursor));
  if (scale !== null) return scaled(multiply(fraction, scale), scale, 'fraction');
  const numeral = numeralOf(fraction, { certain: ['underThousand', 'underMillion'] });
  return { kind: 'bare', numeral, worded: true };
}

function takeCountedTerm(cursor: Cursor): Amount | null {
  const count = takeCount(cursor);
  if (count === null) return null;
  const numeral = withHalf(cursor, count.numeral);
  const scale = cursor.take('scale');
  if (scale === null) return { ...count, numeral };
  const value = under(scale.value, numeral);
  return value === null ? null : withFraction(cursor, scaled(value, scale.value, scale.form));
}

function withHalf(cursor: Cursor, numeral: Numeral): Numeral {
  const { alone, isWhole } = numeral;
  if (alone === null || !isWhole) return numeral;
  const fraction = cursor.attempt(() => cursor.take('and') && takeFraction(cursor));
  return fraction === null ? numeral : numeralOf(alone + fraction, { isWhole: false });
}

/** `a million and a half`, `مليونين وربع` */
function withFraction(cursor: Cursor, term: Scaled): Scaled {
  const fraction = cursor.attempt(() => {
    const part = cursor.take('and') && takeFraction(cursor);
    const isOfNextScale = cursor.attempt(() => takeWholeScale(cursor)) !== null;
    return part === null || isOfNextScale ? null : multiply(part, term.scale);
  });
  return fraction === null ? term : { ...term, value: term.value + fraction };
}

function takeFraction(cursor: Cursor): Decimal | null {
  cursor.take('article');
  return cursor.take('fraction')?.value ?? null;
}

function takeWholeScale(cursor: Cursor): Decimal | null {
  cursor.take('of');
  cursor.take('article');
  return cursor.take('scale', ({ form }) => form === 'whole')?.value ?? null;
}

/** `1,500`, `15 hundred`, `two hundred and fifty`, `مئتين وخمسة وعشرين` */
function takeCount(cursor: Cursor): Bare | null {
  const digits = cursor.take('numeral');
  const numeral = digits ? takeHundredfold(cursor, digits.numeral) : takeWords(cursor);
  return numeral && { kind: 'bare', numeral, worded: digits === null };
}

function takeHundredfold(cursor: Cursor, numeral: Numeral): Numeral | null {
  if (cursor.take('count', ({ value }) => value === 100) === null) return numeral;
  const { alone, isWhole } = numeral;
  return alone === null || !isWhole || alone >= 100n * ONE ? null : numeralOf(100n * alone);
}

/** English puts the ten first (`twenty five`), Arabic the unit (`خمسة وعشرين`, `خمسة عشر`). */
const BELOW_HUNDRED =
  '(?:ar-unit (?:ar-teen |and ar-ten )?|en-ten (?:en-unit |zero )?|(?:zero|..-(?:unit|te+n)) )';
const NUMBER_WORDS = new RegExp(
  `^(?:(?:(?:..-unit )?..-hundred |..-hundreds )(?:(?:and )?${BELOW_HUNDRED})?|${BELOW_HUNDRED}|fixed )`,
);

function takeWords(cursor: Cursor): Numeral | null {
  const ranks = cursor.next(6).map((each) => `${each.kind === 'count' ? each.rank : each.kind} `);
  const words = NUMBER_WORDS.exec(ranks.join(''))?.[0].trim().split(' ');
  if (words === undefined) return null;
  const valueOf = (lexeme: Lexeme) => (lexeme.kind === 'count' ? lexeme.value : 0);
  const values = words.map(() => cursor.takeAs(valueOf) ?? 0);
  const [first = 0, second] = values;
  const hundreds = second === 100 ? first * 100 - first - 100 : 0;
  return numeralOf(ONE * BigInt(values.reduce((sum, value) => sum + value, hundreds)));
}

class Cursor {
  readonly #lexemes: readonly Lexeme[];
  #at = 0;

  constructor(lexemes: readonly Lexeme[]) {
    this.#lexemes = lexemes;
  }

  next(most: number): readonly Lexeme[] {
    return this.#lexemes.slice(this.#at, this.#at + most);
  }

  takeAs<T>(read: (lexeme: Lexeme) => T | null): T | null {
    const [lexeme] = this.next(1);
    const meaning = lexeme === undefined ? null : read(lexeme);
    if (meaning !== null) this.#at += 1;
    return meaning;
  }

  take<Kind extends LexemeKind>(
    kind: Kind,
    fits: (lexeme: LexemeOf<Kind>) => boolean = () => true,
  ): LexemeOf<Kind> | null {
    const isWanted = (lexeme: Lexeme): lexeme is LexemeOf<Kind> => lexeme.kind === kind;
    return this.takeAs((lexeme) => (isWanted(lexeme) && fits(lexeme) ? lexeme : null));
  }

  attempt<T>(read: () => T | null): T | null {
    const start = this.#at;
    const found = read();
    if (found === null) this.#at = start;
    return found;
  }
}
