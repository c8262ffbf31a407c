import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import {
  endsOfDatesAndAmounts,
  type Gap,
  type Group,
  groupsOf,
  isDateOrAmount,
  SIGNS,
} from './digit-groups.ts';

/** Nothing but digits and the signs within a number. */
const ONLY_NUMBER = new RegExp(`^${SIGNS}\\d(?:.*\\d)?${SIGNS}$`, 'su');
/** A phone that a spreadsheet took for a fraction: `971501234567.0`. */
const FRACTION = /^([^\d+]*[1-9]\d{6,14})\.0(?=\D*$)/;
/** `971+ 50…`: where a plus before the prefix is shown in Arabic text. */
const PLUS_BEHIND_PREFIX = /(?<!\d\W?)(?:00)?971\+/g;

/** A trunk prefix of two digits and the fifteen of E.164; the shortest numbers are freephone ones. */
const [MIN_DIGITS, MAX_DIGITS] = [5, 17];
/** A number without a prefix has this many digits, unless it is a UAE mobile or the whole entry. */
const BARE_DIGITS = 10;
/** A text of 64 characters holds seven numbers; more readings than this serve nobody. */
const MAX_READINGS = 40;

/**
 * The phone numbers that a text holds, in E.164, an extension behind `;ext=`; digits are ASCII. Dates, amounts, ids and
 * the numbers of houses or list items are none. Neighbouring digits that belong to nothing make a fragment doubtful:
 * of `050 423 45678`, a digit too long, the end is no landline.
 */
export function readPhoneNumbers(text: string): string[] {
  const unescaped = text.replace(/%20/g, ' ').replace(/%2b/gi, '+');
  const written = unescaped.replace(FRACTION, '$1').replace(PLUS_BEHIND_PREFIX, '+971');
  const groups = groupsOf(written);
  const read = createReader(ONLY_NUMBER.test(written) ? groups.length : null);
  return splitBefore(groups, ({ gap }) => gap === 'words').flatMap((piece) => {
    const lines = splitBefore(piece, ({ gap }) => gap === 'line');
    const isBrokenNumber = lines.every((line) => !hasPrefix(line[0]) || !partition(line, read));
    const parts = isBrokenNumber ? [piece] : lines;
    return parts.flatMap((part) => partition(part, read) ?? readCompleteParts(part, read));
  });
}

function splitBefore(groups: readonly Group[], isFirst: (group: Group) => boolean): Group[][] {
  const parts: Group[][] = [];
  for (const group of groups) {
    const last = parts.at(-1);
    if (!last || isFirst(group)) parts.push([group]);
    else last.push(group);
  }
  return parts;
}

type Reader = (groups: readonly Group[]) => string | null;

/**
 * The numbers of the fewest parts that use up all digits; null where there are none such. Of as many parts, those whose
 * numbers are longer: `5000 97150-200-1200` is no `5000 97150` beside a span of hours.
 */
function partition(groups: readonly Group[], read: Reader): string[] | null {
  interface Parts {
    count: number;
    /** Digits that belong to numbers. */
    digits: number;
    numbers: string[];
  }
  const none: Parts = { count: 0, digits: 0, numbers: [] };
  const fewest = new Map<number, Parts | null>([[groups.length, none]]);
  const from = (start: number): Parts | null => {
    const known = fewest.get(start);
    if (known !== undefined) return known;
    let best: Parts | null = null;
    const keepFewest = (end: number, numbers: readonly string[]) => {
      const rest = from(end);
      if (!rest) return;
      const own = numbers.length > 0 ? digitsOf(groups.slice(start, end)).length : 0;
      const [count, digits] = [rest.count + 1, rest.digits + own];
      if (!best || count < best.count || (count === best.count && digits > best.digits))
        best = { count, digits, numbers: [...numbers, ...rest.numbers] };
    };
    for (const end of possibleEnds(groups, start)) {
      const number = read(groups.slice(start, end));
      if (number !== null) keepFewest(end, [number]);
    }
    for (const end of endsOfOthers(groups, start)) keepFewest(end, []);
    fewest.set(start, best);
    return best;
  };
  return from(0)?.numbers ?? null;
}

const ITEM_NUMBER = /^[1-9]\d{0,5}$/;
const BARE_LANDLINE = /^[1-9]\d{7}$/;

/**
 * Lists the places where something beside a number may end: a date, an amount, eight bare digits, or the number of a
 * house, list item or licence before a number with its prefix.
 */
function endsOfOthers(groups: readonly Group[], start: number): number[] {
  const first = groups[start];
  if (!first || first.plus || first.extension !== null) return [];
  const isItem = ITEM_NUMBER.test(first.digits) && hasPrefix(groups[start + 1]);
  const ends = isItem || BARE_LANDLINE.test(first.digits) ? [start + 1] : [];
  return [...ends, ...endsOfDatesAndAmounts(groups, start)];
}

const IN_NUMBER = new Set<Gap>(['soft', 'slash', 'line']);

/** Lists the places where a number that begins at `start` may end. */
function possibleEnds(groups: readonly Group[], start: number): number[] {
  const ends: number[] = [];
  let length = 0;
  for (let at = start; at < groups.length; at += 1) {
    const group = groups[at] as Group;
    const goesOn = !group.plus && IN_NUMBER.has(group.gap);
    length += group.digits.length;
    if ((at > start && !goesOn) || length > MAX_DIGITS) break;
    if (length >= MIN_DIGITS) ends.push(at + 1);
    if (group.extension !== null) break;
  }
  return ends;
}

/** Reads a piece with digits of no number: a number in it counts only where its form shows that it is whole. */
function readCompleteParts(piece: readonly Group[], read: Reader): string[] {
  const parts = splitBefore(piece, ({ gap }) => gap !== 'soft');
  return parts.flatMap((part) => {
    const isWhole = hasPrefix(part[0]) || digitsOf(part).length >= BARE_DIGITS;
    const numbers = isWhole ? partition(part, read) : null;
    return numbers ?? part.filter(hasPrefix).flatMap((group) => read([group]) ?? []);
  });
}

function hasPrefix(group: Group | undefined): boolean {
  return group !== undefined && (group.plus || /^(?:0|971)/.test(group.digits));
}

function digitsOf(groups: readonly Group[]): string {
  return groups.map(({ digits }) => digits).join('');
}

/** A mobile has no extension: of `0501234567 x2` the 2 is something else. */
const UAE_MOBILE = /^\+9715\d{8}$/;

/** `entryLength`: the runs of digits of an entry that is nothing but a number. */
function createReader(entryLength: number | null): Reader {
  let left = MAX_READINGS;
  return (groups) => {
    left -= 1;
    if (left < 0 || isDateOrAmount(groups)) return null;
    const number = readNumber(groups, groups.length === entryLength);
    const extension = groups.at(-1)?.extension;
    return number && extension && !UAE_MOBILE.test(number) ? `${number};ext=${extension}` : number;
  };
}

/** A UAE line of the right length, in use or not: with a prefix, perhaps twice, any area code or 5X. */
const UAE_LINE = /^(?:(?:(?:00?|011)?971){1,2}0?|0)([2-4679]\d{7}|5\d{8})$|^(5\d{8})$/;

/** Reads digits as a UAE number first, else as an international one; null where no country's plan has it. */
function readNumber(groups: readonly Group[], isEntry: boolean): string | null {
  const digits = digitsOf(groups);
  const uae = UAE_LINE.exec(digits);
  const line = uae && (uae[1] ?? uae[2]);
  // No country code begins with 0: `+050…` is a national number.
  const isInternational = groups[0]?.plus === true && !digits.startsWith('0');
  if (line && (!isInternational || uae[1])) return isRun(line) ? null : `+971${line}`;
  if (isInternational) return readValid(`+${digits}`);
  const isWhole = digits.startsWith('971') || (isEntry && !hasEqualGroups(groups));
  if (digits.startsWith('0'))
    return readValid(digits, (phone) => digits.startsWith('00') || !isService(phone));
  if (!isEvident(groups, isEntry)) return null;
  return readValid(digits, (phone) => isWhole || !isService(phone)) ?? readValid(`+${digits}`);
}

/** Eight digits of a date, or a round amount. */
const BARE_DATE_OR_AMOUNT =
  /^(?:[0-3]\d[01]\d(?:19|20)\d\d|(?:19|20)\d\d[01]\d[0-3]\d|\d{1,5}0{4,})$/;

/**
 * Whether digits without a prefix can be a number: the whole entry or ten digits, and no UAE number behind that of a
 * house or list item (`Villa 49 055…`).
 */
function isEvident(groups: readonly Group[], isEntry: boolean): boolean {
  const digits = digitsOf(groups);
  if (digits.length < BARE_DIGITS && (!isEntry || BARE_DATE_OR_AMOUNT.test(digits))) return false;
  return !groups.some((_group, at) => at > 0 && UAE_LINE.exec(digitsOf(groups.slice(at)))?.[1]);
}

function readValid(text: string, isRight = (_phone: PhoneNumber) => true): string | null {
  const phone = parsePhoneNumberFromString(text, { defaultCountry: 'AE', extract: false });
  return phone?.isValid() && !isRun(phone.nationalNumber) && isRight(phone) ? phone.number : null;
}

/** Whether a number is a UAE one of a service (`800 1234`), with whose digits spans of hours and amounts begin too. */
function isService({ countryCallingCode, nationalNumber }: PhoneNumber): boolean {
  return countryCallingCode === '971' && /^[6-9]00/.test(nationalNumber);
}

/** Whether a sign joins groups of the same length, as in a span: `800-900`. */
function hasEqualGroups(groups: readonly Group[]): boolean {
  return groups.some(
    ({ between, digits }, at) =>
      at > 0 && /[^\s()]/u.test(between) && groups[at - 1]?.digits.length === digits.length,
  );
}

/** Whether all digits are the same: people type that instead of a number. */
function isRun(digits: string): boolean {
  return /^(\d)\1*$/.test(digits);
}
