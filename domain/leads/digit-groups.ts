/** A run of digits and how it is joined to the run before it. */
export interface Group {
  digits: string;
  /** Written with a plus: it begins a number. */
  plus: boolean;
  extension: string | null;
  /** The text between the run before it and this one. */
  between: string;
  gap: Gap;
  /** One to four digits that count something: `2 bed`, `1200 sqft`. */
  measure: boolean;
}

/**
 * What stands between two runs of digits. `soft`: blanks, dashes and brackets, as within one number. `slash` and
 * `line`, a single line break: within a number or between two. `barrier`: other punctuation, only between numbers.
 * `words`: what stands before says nothing about what follows.
 */
export type Gap = 'soft' | 'slash' | 'line' | 'barrier' | 'words';

const DIGITS = /\d+/g;
export const SIGNS = String.raw`[\p{Zs}\t\p{Pd}\u2212.()[\]_'’]*`;
const SOFT = new RegExp(`^${SIGNS}$`, 'u');
const SLASH = new RegExp(`^(?:${SIGNS}[/\\\\])*${SIGNS}$`, 'u');
const LINE = new RegExp(`^${SIGNS}(?:\\r\\n|[\\n\\r\\v\\f\\u0085\\u2028\\u2029])${SIGNS}$`, 'u');
const BARRIER = /^[^\p{L}:=]*$/u;
const PLUS = /\+[\s()]*$/;
const EXTENSION = /^[\s,]*(?:;?ext(?:ension|n)?|x|#|تحويلة|داخلي)[\s.:=#]*$/i;
const EXTENSION_DIGITS = 7;
/** What follows the number of a list item: in `#1 050… #2 055…` the 2 is no extension. */
const AFTER_ITEM = /^[\s.):]*(?:\+|0\d|971)/;

const MEASURE =
  /^\s?(?:beds?|bedrooms?|br|bhk|baths?|bathrooms?|rooms?|sq|sqft|sqm|ft|k|mn?|mil|mio|million|thousand|aed|dhs?|usd|years?|yrs?|months?|weeks?|days?|hours?|hrs?|minutes?|mins?|am|pm|غرف|غرفة|درهم|الف|ألف|مليون)(?!\p{L})/iu;
const TOUCHES_LETTERS = /^(?!x|ext)\p{L}/iu;

/** Lists the runs of digits of a text that may belong to a number, without dates, amounts and what counts something. */
export function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let end = 0;
  for (const match of text.matchAll(DIGITS)) {
    const [between, digits] = [text.slice(end, match.index), match[0]];
    end = match.index + digits.length;
    const after = text.slice(end, end + 16);
    const last = groups.at(-1);
    const isShort = /^[1-9]\d?$/.test(digits);
    const measure =
      /^[1-9]\d{0,3}$/.test(digits) &&
      (MEASURE.test(after) || (isShort && TOUCHES_LETTERS.test(after)));
    const isExtension =
      !measure &&
      digits.length <= EXTENSION_DIGITS &&
      EXTENSION.test(between) &&
      !(/^[\s,]*#/.test(between) && AFTER_ITEM.test(text.slice(end)));
    if (last && last.extension === null && isExtension) last.extension = digits;
    else {
      const plus = PLUS.test(between);
      groups.push({ digits, plus, extension: null, between, gap: gapOf(between), measure });
    }
  }
  return withoutOthers(withoutDoubledPrefix(groups));
}

/** Drops a country prefix that stands alone before a number with the same one: `+971 +971 50…`. */
function withoutDoubledPrefix(groups: readonly Group[]): Group[] {
  return groups.filter(({ digits, plus }, at) => {
    const next = groups[at + 1];
    const isDoubled =
      plus && digits.length <= 3 && next?.plus === true && next.digits.startsWith(digits);
    return !isDoubled || next.gap !== 'soft';
  });
}

/** The most runs of digits of a date or an amount, and of a span from one to another. */
const MAX_RUNS = 6;

/** Drops what is never a part of a number, as if words stood there. */
function withoutOthers(groups: readonly Group[]): Group[] {
  const kept: Group[] = [];
  let isCut = false;
  for (let at = 0; at < groups.length;) {
    const end = endOfOther(groups, at);
    const group = groups[at] as Group;
    if (end === at) kept.push(isCut ? { ...group, gap: 'words' } : group);
    isCut = end > at;
    at = Math.max(end, at + 1);
  }
  return kept;
}

/** The end of a date, an amount or a count that begins at `start`; `start` itself where there is none. */
function endOfOther(groups: readonly Group[], start: number): number {
  const first = groups[start] as Group;
  if (first.plus || first.extension !== null) return start;
  if (first.measure && first.digits.length <= 2 && !isOneOfPairs(groups, start)) return start + 1;
  if (isBehindAreaCode(groups, start)) return start;
  for (let end = Math.min(start + MAX_RUNS, groups.length); end > start + 1; end -= 1) {
    const part = groups.slice(start, end);
    if (part.slice(1).some(({ plus }) => plus) || part.some(({ extension }) => extension)) continue;
    const signs = part.slice(1).map(({ between }) => between);
    const isPartOfMore = [first.between, groups[end]?.between ?? ''].some(
      (sign) => sign !== '' && signs.includes(sign),
    );
    if (!isPartOfMore && NEVER_IN_NUMBER.test(spanOf(part))) return end;
  }
  return start;
}

/** The last pair of a number may stand before a letter: `+33 6 12 34 56 78 M. Dupont`. */
function isOneOfPairs(groups: readonly Group[], at: number): boolean {
  const [before, pair] = [groups[at - 1], groups[at]];
  return pair?.gap === 'soft' && pair.digits.length === 2 && before?.digits.length === 2;
}

/** A country code and an area code have no more digits; what follows them is the number: `+34 612.345.000`. */
const PREFIX_DIGITS = 5;

function isBehindAreaCode(groups: readonly Group[], start: number): boolean {
  let digits = 0;
  for (let at = start; at > 0 && groups[at]?.gap === 'soft'; at -= 1) {
    const before = groups[at - 1] as Group;
    // The minutes of `15:00 27/7/2026` are no prefix.
    const [, code] = /^00([1-9]\d*)$/.exec(before.digits) ?? [];
    digits += (code ?? before.digits).length;
    if (digits > PREFIX_DIGITS) return false;
    if (before.plus || code !== undefined) return true;
  }
  return false;
}

/** Groups as they are written, with one kind of dash and single blanks. */
function spanOf([first, ...others]: readonly Group[]): string {
  const written = others.map(({ between, digits }) => {
    const isWord = /^\s+(?:to|until|till|إلى|الى|حتى)\s+$/i.test(between);
    return `${isWord ? '-' : between.replace(/\p{Pd}/gu, '-').replace(/\s+/g, ' ')}${digits}`;
  });
  return `${first?.digits}${written.join('')}`;
}

function gapOf(between: string): Gap {
  const text = between.replace(/\++[\s()]*$/, '');
  if (SOFT.test(text)) return 'soft';
  if (SLASH.test(text)) return 'slash';
  if (LINE.test(text)) return 'line';
  return BARRIER.test(text) ? 'barrier' : 'words';
}

const DAY = String.raw`(?:[0-2]?\d|3[01])`;
const YEAR = String.raw`(?:19|20)\d\d`;
const ANY_YEAR = String.raw`(?:${YEAR}|\d\d)`;
const ROUND = String.raw`(?:[1-9]\d{2,5}00|[1-9]\d?(?:[ .,'’]\d{3})?[ .,'’]000|[1-9]\d\d[ .,'’]\d00)`;

/** Dates with a year, spans of days and of amounts, amounts with a sign between thousands. */
const NEVER_IN_NUMBER = anyOf([
  String.raw`${DAY}( ?[/.-] ?)${DAY}\1${YEAR}`,
  String.raw`${YEAR}( ?[/.-] ?)${DAY}\2${DAY}`,
  String.raw`${DAY}(?:-${DAY}([/.])|/${DAY}([.-]))${DAY}(?:\3\4)${ANY_YEAR}`,
  String.raw`${DAY}([/.-])${DAY} ?[/-] ?${DAY}\5${DAY}\5${ANY_YEAR}`,
  String.raw`${DAY}([/.-])${DAY}\6${ANY_YEAR} ?[/-] ?${DAY}\6${DAY}\6${ANY_YEAR}`,
  String.raw`${ROUND} ?[/-] ?${ROUND}`,
  String.raw`[1-9]\d?([.,'’])\d{3}\7\d{3}`,
  String.raw`[1-9]\d{0,2}([.,'’])(?:\d{3}\8)?000`,
]);

/** A date in figures, perhaps with its hour; a span of hours, of days without a year, or of years. */
const DATE = anyOf([
  String.raw`(?:\d{1,2}([/. -])\d{1,2}\1(?:19|20)\d\d|\d{1,2}([/.-])\d{1,2}\2\d\d|(?:19|20)\d\d([/. -])\d{1,2}\3\d{1,2})(?:[ ,]+\d{1,2})?`,
  String.raw`${DAY}([/.])\d\d?[/-]${DAY}\4\d\d?`,
  String.raw`(?:[01]\d|2[0-4])[0-5]\d[/-](?:[01]\d|2[0-4])[0-5]\d`,
  String.raw`[1-9][0-5]\d[/-](?:1\d|2[0-4])[03]0`,
  String.raw`${YEAR}[/-]${YEAR}`,
]);

/** Groups of three digits. With blanks, as a number may have, only before a last `000`. */
const AMOUNT =
  /^(?:[1-9]\d?([.,'’])\d{3}\1\d{3}|[1-9]\d{0,2}([.,'’])(?:\d{3}\2)?000|[1-9]\d?(?: \d{3})? 000)(?:[.,]\d\d?)?$/;

function anyOf(forms: readonly string[]): RegExp {
  return new RegExp(`^(?:${forms.join('|')})$`);
}

/** Lists the ends of what begins at `start` and may be a date, an amount or a count beside a number. */
export function endsOfDatesAndAmounts(groups: readonly Group[], start: number): number[] {
  const ends = groups[start]?.measure ? [start + 1] : [];
  for (let end = start + 2; end <= Math.min(start + MAX_RUNS, groups.length); end += 1)
    if (isDateOrAmount(groups.slice(start, end))) ends.push(end);
  return ends;
}

export function isDateOrAmount(groups: readonly Group[]): boolean {
  const [first, ...others] = groups;
  if (!first || first.plus || others.some(({ plus }) => plus)) return false;
  const text = spanOf(groups).replace(/\s*([/.,'’-])\s*/gu, '$1');
  return DATE.test(text) || AMOUNT.test(text) || NEVER_IN_NUMBER.test(text);
}
