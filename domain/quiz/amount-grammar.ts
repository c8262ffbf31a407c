import type { BoundSide, Lexeme, LexemeKind, LexemeOf } from './amount-words.ts';
import type { Quantity } from './reading.ts';
import {
  HUNDRED,
  multiply,
  numeralOf,
  ONE,
  THOUSAND,
  type Decimal,
  type Numeral,
} from './numeral.ts';

/** One amount with the words around it; a range has two of them. */
export type End = {
  readonly amount: Amount;
  readonly negative: boolean;
  /** Whether a word for hundreds is in it. */
  readonly hundreds: boolean;
  readonly bound: BoundSide | null;
  readonly quantity: Quantity;
};

/** Reads all lexemes as one end. Null if any is left over. */
export function readEnd(lexemes: readonly Lexeme[]): End | null {
  const cursor = new Cursor(lexemes);
  const negative = cursor.take('minus') !== null;
  const before = takeMeanings(cursor, 'before');
  const amount = takeAmount(cursor);
  const meanings = [...before, ...takeMeanings(cursor, 'after')];
  const quantity = combineQuantities(meanings);
  const [bound = null, another] = meanings.flatMap((meaning) => meaning.bound ?? []);
  if (amount === null || quantity === null || another !== undefined || !cursor.isAtEnd) return null;
  if (unitMayBeOfLastCount(amount, quantity, lexemes)) return null;
  return { amount, negative, hundreds: lexemes.some(isHundred), bound, quantity };
}

const AREA_UNITS = new Set(['sqft', 'sqm']);

/**
 * `50 thousand and 200 sqft` may be a price and an area, and `fifty thousand three bedrooms` is no number of rooms. Words
 * alone are one area: `two thousand five hundred sqft`.
 */
function unitMayBeOfLastCount(
  amount: Amount,
  { unit }: Quantity,
  lexemes: readonly Lexeme[],
): boolean {
  if (amount.kind === 'bare' || !amount.endsInCount || unit === null) return false;
  return !AREA_UNITS.has(unit) || lexemes.some(({ kind }) => kind === 'numeral');
}

function isHundred(lexeme: Lexeme): boolean {
  return lexeme.kind === 'count' && (lexeme.rank === 'hundred' || lexeme.rank === 'hundreds');
}

type Place = 'before' | 'after';
type WordMeaning = Partial<Quantity> & { readonly bound?: BoundSide };

function takeMeanings(cursor: Cursor, place: Place): WordMeaning[] {
  const meanings: WordMeaning[] = [];
  for (let meaning; (meaning = cursor.takeAs((lexeme) => meaningOf(lexeme, place)));)
    meanings.push(meaning);
  return meanings;
}

/** Null for a lexeme that does not belong beside an amount. */
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
      return isBefore ? null : {};
    case 'from':
      return isBefore ? { bound: 'min' } : null;
    case 'tilde':
      return isBefore ? { approximate: true } : null;
    default:
      return null;
  }
}

/** Null if they contradict each other: two currencies, two units, or a unit and a currency. */
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

type Bare = Count & { readonly kind: 'bare' };
type Scaled = {
  readonly kind: 'scaled';
  readonly value: Decimal;
  /** The scale that may cover the other end of a range. Null if the amount has several. */
  readonly scale: Decimal | null;
  /** Whether its last part is a count without a scale: `ألف وخمسمائة`. */
  readonly endsInCount: boolean;
};

/** `bare` can still take the scale of the other end of its range; `scaled` cannot. */
type Amount = Bare | Scaled;

/** One count with at most one scale: `1,5 million`, `half a million`, `مليون ونصف`, `250`. */
type Term = Bare | ScaledTerm;
type ScaledTerm = Omit<Scaled, 'endsInCount'> & {
  readonly scale: Decimal;
  readonly abbreviated: boolean;
  /** Whether it is a fraction in words: `نصف المليون`. */
  readonly isFraction: boolean;
};

/** The longest amount that begins here: `2 million 500 thousand`, `ألف وخمسمائة`, `1.5m`. */
function takeAmount(cursor: Cursor): Amount | null {
  const first = takeTerm(cursor);
  if (first?.kind !== 'scaled') return first;
  let { value } = first;
  let last = first;
  for (;;) {
    const more = cursor.attempt(() => takeSmallerTerm(cursor, last));
    if (more === null) break;
    [value, last] = [value + more.value, more];
  }
  const endsInCount = last.scale === ONE;
  return { kind: 'scaled', value, scale: last === first ? first.scale : null, endsInCount };
}

/** Adds to a whole number of the scale before it: `0.5m and 0.75m`, `half a million and 750k` are two amounts. */
function takeSmallerTerm(cursor: Cursor, before: ScaledTerm): ScaledTerm | null {
  if (before.value % before.scale !== 0n) return null;
  const isJoined = cursor.take('and') !== null;
  const term = takeTerm(cursor);
  if (term?.kind === 'bare') return afterThousand(term, isJoined, before);
  if (term === null || term.value >= before.scale) return null;
  // `مليون ونصف المليون`: a fraction may be one of the same scale.
  return term.isFraction || term.scale < before.scale ? term : null;
}

/**
 * Only after the word "thousand" is a count without a scale certain: `مليون ومئتين` may mean two hundred thousand more, and
 * `80k and 90` a range. Digits need the "and", or `50 thousand 100` would be 50,100, and a hundred at least.
 */
function afterThousand(term: Bare, isJoined: boolean, before: ScaledTerm): ScaledTerm | null {
  const value = term.numeral.alone;
  if (value === null || before.abbreviated || before.scale !== THOUSAND) return null;
  const isCertain = term.worded || (isJoined && value >= HUNDRED);
  const fits = value < THOUSAND && isCertain;
  return fits ? scaledTerm(value, ONE) : null;
}

function takeTerm(cursor: Cursor): Term | null {
  const article = cursor.take('article');
  const fraction = cursor.take('fraction');
  if (fraction !== null) return takeFractionOfScale(cursor, fraction.value);
  const alone = cursor.take('scale', ({ needsCount }) => !needsCount);
  if (alone !== null) {
    const value = alone.dual ? 2n * alone.value : alone.value;
    return withFraction(cursor, scaledTerm(value, alone.value, alone));
  }
  const next = cursor.peek();
  const isHundred = next?.kind === 'count' && next.rank === 'hundred';
  return article !== null && !isHundred ? null : takeCountedTerm(cursor);
}

function scaledTerm(
  value: Decimal,
  scale: Decimal,
  { abbreviated = false, isFraction = false } = {},
): ScaledTerm {
  return { kind: 'scaled', value, scale, abbreviated, isFraction };
}

/** The value of a numeral under a scale. Null if its grouping leaves the value in doubt. */
export function under(scale: Decimal, numeral: Numeral): Decimal | null {
  const worth = scale === THOUSAND ? numeral.underThousand : numeral.underMillion;
  return worth === null ? null : multiply(worth, scale);
}

/** `half a million`, `quarter of a million`, or `half` alone, which waits for the scale of a range. */
function takeFractionOfScale(cursor: Cursor, fraction: Decimal): Term {
  const scale = cursor.attempt(() => takeWholeScale(cursor));
  if (scale !== null) return scaledTerm(multiply(fraction, scale), scale, { isFraction: true });
  const numeral = numeralOf(fraction, { certain: ['underThousand', 'underMillion'] });
  return { kind: 'bare', numeral, worded: true };
}

function takeCountedTerm(cursor: Cursor): Term | null {
  const count = takeCount(cursor);
  if (count === null) return null;
  const numeral = withHalf(cursor, count.numeral);
  const scale = cursor.take('scale');
  if (scale === null) return { kind: 'bare', numeral, worded: count.worded };
  const value = scale.dual ? null : under(scale.value, numeral);
  return value === null ? null : withFraction(cursor, scaledTerm(value, scale.value, scale));
}

/** `two and a half`, before its scale or without one. */
function withHalf(cursor: Cursor, numeral: Numeral): Numeral {
  const { alone, isWhole } = numeral;
  if (alone === null || !isWhole) return numeral;
  const fraction = cursor.attempt(() => cursor.take('and') && takeFraction(cursor));
  return fraction === null ? numeral : numeralOf(alone + fraction, { isWhole: false });
}

/** `a million and a half`, `مليونين وربع`: the part is one of the scale. */
function withFraction(cursor: Cursor, term: ScaledTerm): ScaledTerm {
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
  return cursor.take('scale', ({ dual, needsCount }) => !dual && !needsCount)?.value ?? null;
}

type CountLexeme = LexemeOf<'count'>;
type Count = { readonly numeral: Numeral; readonly worded: boolean };

/** A count below a scale word: `1,500`, `15 hundred`, `two hundred and fifty`, `مئتين وخمسة وعشرين`. */
function takeCount(cursor: Cursor): Count | null {
  const digits = cursor.take('numeral');
  if (digits !== null) return takeHundredfold(cursor, digits.numeral);
  const value = takeWords(cursor);
  return value === null ? null : { numeral: numeralOf(ONE * BigInt(value)), worded: true };
}

function takeHundredfold(cursor: Cursor, numeral: Numeral): Count | null {
  if (takeRank(cursor, 'hundred') === null) return { numeral, worded: false };
  const { alone, isWhole } = numeral;
  if (alone === null || !isWhole || alone >= HUNDRED) return null;
  return { numeral: numeralOf(100n * alone), worded: false };
}

function takeWords(cursor: Cursor): number | null {
  const hundreds = cursor.attempt(() => takeHundreds(cursor));
  if (hundreds === null) return takeBelowHundred(cursor);
  const rest = cursor.attempt(() => {
    cursor.take('and');
    return takeBelowHundred(cursor);
  });
  return hundreds + (rest ?? 0);
}

function takeHundreds(cursor: Cursor): number | null {
  const whole = takeRank(cursor, 'hundreds');
  if (whole !== null) return whole.value;
  const unit = cursor.take('count', ({ rank, value }) => rank === 'unit' && value > 0);
  const hundred = takeRank(cursor, 'hundred');
  return hundred && hundred.value * (unit?.value ?? 1);
}

/** English puts the ten first (`twenty five`), Arabic the unit (`خمسة وعشرين`, `خمسة عشر`). */
function takeBelowHundred(cursor: Cursor): number | null {
  const first = takeRank(cursor, 'unit') ?? takeRank(cursor, 'teen') ?? takeRank(cursor, 'ten');
  if (first === null) return null;
  const { rank, value } = first;
  if (first.language === 'ar') {
    const ten = rank === 'unit' && value > 0 ? takeArabicTen(cursor) : null;
    return value + (ten?.value ?? 0);
  }
  const unit = rank === 'ten' ? takeRank(cursor, 'unit', 'en') : null;
  return value + (unit?.value ?? 0);
}

function takeArabicTen(cursor: Cursor): CountLexeme | null {
  const afterAnd = () => cursor.take('and') && takeRank(cursor, 'ten', 'ar');
  return takeRank(cursor, 'teen', 'ar') ?? cursor.attempt(afterAnd);
}

/** Takes the next count word if it has this rank, and this language if one is given. */
function takeRank(cursor: Cursor, rank: CountLexeme['rank'], language?: CountLexeme['language']) {
  return cursor.take(
    'count',
    (count) => count.rank === rank && (language ?? count.language) === count.language,
  );
}

/** A position in a list of lexemes. */
class Cursor {
  readonly #lexemes: readonly Lexeme[];
  #at = 0;

  constructor(lexemes: readonly Lexeme[]) {
    this.#lexemes = lexemes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#lexemes.length;
  }

  peek(): Lexeme | undefined {
    return this.#lexemes[this.#at];
  }

  /** Takes the next lexeme if `read` finds a meaning in it. */
  takeAs<T>(read: (lexeme: Lexeme) => T | null): T | null {
    const lexeme = this.peek();
    const meaning = lexeme === undefined ? null : read(lexeme);
    if (meaning !== null) this.#at += 1;
    return meaning;
  }

  /** Takes the next lexeme if it is of this kind and fits. */
  take<Kind extends LexemeKind>(
    kind: Kind,
    fits: (lexeme: LexemeOf<Kind>) => boolean = () => true,
  ): LexemeOf<Kind> | null {
    const isWanted = (lexeme: Lexeme): lexeme is LexemeOf<Kind> => lexeme.kind === kind;
    return this.takeAs((lexeme) => (isWanted(lexeme) && fits(lexeme) ? lexeme : null));
  }

  /** Takes nothing if `read` finds nothing. */
  attempt<T>(read: () => T | null): T | null {
    const start = this.#at;
    const found = read();
    if (found === null) this.#at = start;
    return found;
  }
}
