import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A run of digits and how it is joined to the run before it. */
interface Group {
  digits: string;
  /** Written with a plus: it begins a number. */
  plus: boolean;
  extension: string | null;
  gap: Gap;
}

/**
 * What stands between two runs of digits. `soft`: blanks, dashes and brackets, as within one number. `slash`: within
 * a number or between two. `barrier`: other punctuation, only between numbers. `words`: what stands before says
 * nothing about what follows.
 */
type Gap = 'soft' | 'slash' | 'barrier' | 'words';

const DIGITS = /\d+/g;
const SOFT = /^[\p{Zs}\p{Pd}\u2212.()[\]_'’]*$/u;
const SLASH = /^[\p{Zs}\p{Pd}\u2212.()[\]_'’/\\]*$/u;
const BARRIER = /^[^\p{L}:=]*$/u;
const PLUS = /\+[\s()]*$/;
const EXTENSION = /^[\s,]*(?:;?ext(?:ension|n)?|x|#|تحويلة|داخلي)[\s.:=#]*$/i;
const EXTENSION_DIGITS = 7;

/** A phone that a spreadsheet took for a fraction: `971501234567.0`. */
const FRACTION = /^([^\d+]*[1-9]\d{6,14})\.0(?=\D*$)/;

/** A trunk prefix of two digits and the fifteen of E.164; the shortest numbers are freephone ones. */
const [MIN_DIGITS, MAX_DIGITS] = [5, 17];
/** A bare run of this many digits is not part of a longer number. */
const BARE_DIGITS = 10;
/** A text of 64 characters holds seven numbers; more readings than this serve nobody. */
const MAX_READINGS = 40;

/**
 * The phone numbers that a text holds, in E.164, an extension behind `;ext=`; digits are ASCII. Neighbouring
 * digits that belong to no number make a fragment doubtful: of `050 423 45678`, a digit too long, the end is no
 * landline.
 */
export function readPhoneNumbers(text: string): string[] {
  const read = createReader();
  const groups = groupsOf(text.replace(FRACTION, '$1'));
  const pieces = splitBefore(groups, ({ gap }) => gap === 'words').map(withoutItemNumber);
  return pieces.flatMap((piece) => partition(piece, read) ?? readCompleteParts(piece, read));
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let end = 0;
  for (const match of text.matchAll(DIGITS)) {
    const [between, digits] = [text.slice(end, match.index), match[0]];
    end = match.index + digits.length;
    const last = groups.at(-1);
    const isExtension = digits.length <= EXTENSION_DIGITS && EXTENSION.test(between);
    if (last && last.extension === null && isExtension) last.extension = digits;
    else groups.push({ digits, plus: PLUS.test(between), extension: null, gap: gapOf(between) });
  }
  return groups;
}

function gapOf(between: string): Gap {
  const text = between.replace(/\++[\s()]*$/, '');
  if (SOFT.test(text)) return 'soft';
  if (SLASH.test(text)) return 'slash';
  return BARRIER.test(text) ? 'barrier' : 'words';
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

/**
 * Drops the number of a list item: the 2 of `2) 050 123 4567`. No country code of one digit has numbers that begin
 * with 0.
 */
function withoutItemNumber(piece: readonly Group[]): readonly Group[] {
  const [first, second] = piece;
  const isItem = first && !first.plus && /^[1-9]$/.test(first.digits);
  return isItem && second && /^0\d/.test(second.digits) ? piece.slice(1) : piece;
}

type Reader = (groups: readonly Group[]) => string | null;

/** The fewest numbers that use up all digits; null where there are none such. */
function partition(groups: readonly Group[], read: Reader): string[] | null {
  const fewest = new Map<number, string[] | null>([[groups.length, []]]);
  const from = (start: number): string[] | null => {
    const known = fewest.get(start);
    if (known !== undefined) return known;
    let best: string[] | null = null;
    for (const end of possibleEnds(groups, start)) {
      const number = read(groups.slice(start, end));
      const rest = number === null ? null : from(end);
      if (number !== null && rest && (!best || rest.length + 1 < best.length))
        best = [number, ...rest];
    }
    fewest.set(start, best);
    return best;
  };
  return from(0);
}

/** Lists the places where a number that begins at `start` may end. */
function possibleEnds(groups: readonly Group[], start: number): number[] {
  const ends: number[] = [];
  let length = 0;
  for (let at = start; at < groups.length; at += 1) {
    const group = groups[at] as Group;
    const goesOn = !group.plus && (group.gap === 'soft' || group.gap === 'slash');
    length += group.digits.length;
    if ((at > start && !goesOn) || length > MAX_DIGITS) break;
    if (length >= MIN_DIGITS) ends.push(at + 1);
    if (group.extension !== null) break;
  }
  return ends;
}

/**
 * Reads a piece with digits that belong to no number: a number in it counts only where its form shows that it is
 * whole.
 */
function readCompleteParts(piece: readonly Group[], read: Reader): string[] {
  const parts = splitBefore(piece, ({ gap }) => gap !== 'soft');
  return parts.flatMap((part) => {
    const isWhole = hasPrefix(part[0]) || digitsOf(part).length >= BARE_DIGITS;
    const numbers = isWhole ? partition(part, read) : null;
    return numbers ?? part.filter(hasPrefix).flatMap((group) => read([group]) ?? []);
  });
}

function hasPrefix(group: Group | undefined): boolean {
  return group !== undefined && (group.plus || group.digits.startsWith('0'));
}

function digitsOf(groups: readonly Group[]): string {
  return groups.map(({ digits }) => digits).join('');
}

function createReader(): Reader {
  let left = MAX_READINGS;
  return (groups) => {
    left -= 1;
    if (left < 0) return null;
    const number = readNumber(digitsOf(groups), groups[0]?.plus === true);
    const extension = groups.at(-1)?.extension;
    return number && extension ? `${number};ext=${extension}` : number;
  };
}

/** A UAE line: with a prefix any area code or 5X and the right length, whether or not the block is in use. */
const UAE_LINE = /^(?:(?:00?)?9710?|0)([2-4679]\d{7}|5\d{8})$|^(5\d{8})$/;

/** Reads digits as a UAE number first, else as an international one; null where no country's plan has it. */
function readNumber(digits: string, plus: boolean): string | null {
  const uae = UAE_LINE.exec(digits);
  const line = uae && (uae[1] ?? uae[2]);
  // No country code begins with 0: `+050…` is a national number.
  const isInternational = plus && !digits.startsWith('0');
  if (line && (!isInternational || uae[1])) return isRun(line) ? null : `+971${line}`;
  return isInternational
    ? readValid(`+${digits}`)
    : (readValid(digits) ?? (digits.startsWith('0') ? null : readValid(`+${digits}`)));
}

function readValid(text: string): string | null {
  const phone = parsePhoneNumberFromString(text, { defaultCountry: 'AE', extract: false });
  return phone?.isValid() && !isRun(phone.nationalNumber) ? phone.number : null;
}

/** Whether all digits are the same: people type that instead of a number. */
function isRun(digits: string): boolean {
  return /^(\d)\1*$/.test(digits);
}
