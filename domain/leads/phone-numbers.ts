import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';

/** Between the digits of one number. */
const SIGN = String.raw`[\p{Zs}\t\p{Pd}\u2212\u0640.()[\]_]`;
/** Between the parts of a number, and between two numbers. */
const JOINT = String.raw`[/\\|:;\n\r\v\f\u0085\u2028\u2029]`;
const JOINTS = new RegExp(String.raw`${JOINT}+|\s\p{Pd}*\s`, 'u');

/** A letter, digits, the digits of an extension, and a letter. */
const RUN = new RegExp(
  String.raw`(\p{L}\s*)?(\+?${SIGN}*\d(?:(?:${SIGN}|${JOINT})*\d)*)(?:x(\d{1,7}))?(\s*\p{L})?`,
  'gu',
);

/** Has the same separator twice. A third one would make it a part of a number. */
const DATE =
  /(?<!\d)(?=\d+( ?[./\u0640-] ?))(?<!\d\1)(?:[0-3]?\d\1[0-3]?\d\1(?:19|20)?\d\d|(?:19|20)\d\d\1[01]?\d\1[0-3]?\d)(?!\1?\d)/g;

const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [DATE, ' date '],
  [/(?<!\d:?)[0-2]?\d:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?!:?\d)/g, ' time '],
  // Item of a list, fraction of a spreadsheet, plus in Arabic text, area code of the UAE.
  [/(^|[\r\n,;])\s*[1-9][.)]\s+/g, '$1'],
  [/^(\D*[1-9]\d{6,14})\.0+\s*$/, '$1'],
  [/(?<![\d+])(?:00)?([1-9]\d{0,2})\+/g, '+$1'],
  [/(?<![\d/])(0(?:5\d|[2-4679]))\/(?=\d{7}(?!\d))/g, '$1 '],
  [/(?<=\d)[\s,;)]*(?:;?ext(?:ension|n)?|x|#|تحويلة|داخلي)[\s.:=#]*(\d{1,7})(?!\d)/giu, 'x$1'],
];

/** Another country's code. If no number follows, another number of the text may be that country's. */
const FOREIGN = /^\D*(?:\+\D*(?!971)[1-9]|00\D*(?!971)[1-9]\d{0,2}\D*$)/;

/** E.164, with an extension behind `;ext=`. Ambiguous digits are not used, since they may be another customer's. */
export function readPhoneNumbers(text: string): string[] {
  if (!/\d/.test(text)) return [];
  const typed = REPLACEMENTS.reduce((typed, [from, to]) => typed.replace(from, to), text);
  const runs = Array.from(typed.matchAll(RUN), ([, before, run = '', extension, after]) => {
    const numbers = readParts(run, { isAlone: !(before ?? after), isBeforeWord: Boolean(after) });
    const end = extension === undefined ? '' : `;ext=${extension}`;
    return { run, numbers: numbers.map((each) => (UAE_MOBILE.test(each) ? each : each + end)) };
  });
  const isUnclear = runs.some(({ run, numbers }) => FOREIGN.test(run) && numbers.length === 0);
  return runs.flatMap(({ run, numbers }) => (isUnclear && !run.startsWith('+') ? [] : numbers));
}

interface Place {
  isAlone: boolean;
  isBeforeWord: boolean;
}

/** A country or area code, whose number may follow a joint. */
const SHORT = /^\s*\+?(?:[\s()]*\d){1,6}[\s()]*$/;

/** Reads several numbers, or one with joined parts such as `050/1234567`. None if both are possible. */
function readParts(run: string, place: Place): string[] {
  const parts = run.split(JOINTS);
  const whole = readNumber(run, place);
  if (parts.length === 1) return whole === null ? readMobiles(run, place) : [whole];
  const isShort = SHORT.test(parts[0] ?? '');
  const numbers = isShort ? [] : parts.flatMap((part) => readParts(part.trim(), place));
  if (whole === null) return numbers;
  return numbers.length === 0 ? [whole] : [];
}

const MOBILE_TYPED = new RegExp(
  String.raw`S*((?:(?:\+|00)?S*971S*0?|0)S*5(?:S*\d){8})(?!\d)`.replaceAll('S', SIGN),
  'guy',
);

/** The length of a UAE mobile shows where it ends. */
function readMobiles(run: string, place: Place): string[] {
  const mobiles = Array.from(run.matchAll(MOBILE_TYPED), ([, mobile = '']) => mobile);
  return mobiles.flatMap((mobile) => readNumber(mobile, place) ?? []);
}

const LINE = String.raw`([2-4679]\d{7}|5\d{8})`;
/** In use or not, with its country code, perhaps twice, or with its leading zero. */
const UAE = new RegExp(`^(?:(?:00|011|0)?(?:971)+0?|0)${LINE}$`);
const UAE_MOBILE = /^(?:\+971)?5\d{8}$/;
/** 971 needs no prefix. */
const INTERNATIONAL = /^(?:\+?00|\+|(?=971))[1-9]\d*$/;

function readNumber(run: string, place: Place): string | null {
  const typed = compact(run);
  const digits = typed.replace('+', '');
  const line = UAE.exec(digits)?.[1];
  if (line !== undefined) return uaeNumber(line);
  if (INTERNATIONAL.test(typed)) return readInternational(run, place)?.number ?? null;
  return /^[1-9]/.test(typed) ? readBare(run, digits, place) : null;
}

function uaeNumber(line: string): string | null {
  return isPlaceholder(line) ? null : `+971${line}`;
}

/** With groups of thousands, or a range of amounts. */
const AMOUNT = /\.000$|000\D.*000$/;
/** Russia or Kazakhstan with the trunk prefix: `8 495…`. */
const RUSSIAN = /^8(?=\d{10}$)/;
/** Fewer are a national number in many countries, such as India or the United States. */
const MIN_BARE_DIGITS = 11;
/** A plus and the fifteen digits of E.164. */
const MAX_LENGTH = 16;
/** The first group is the country code, or has as many digits. */
const MIN_FIRST_GROUP = 5;

function readBare(run: string, digits: string, place: Place): string | null {
  const [first = ''] = /\d+/.exec(run) ?? [];
  // Next to a word, the first digits may be the number of a house.
  if ((first !== digits && !place.isAlone) || AMOUNT.test(run)) return null;
  if (UAE_MOBILE.test(digits) && first.length > 1 && !ZERO_IN_BRACKETS.test(run))
    return uaeNumber(digits);
  if (digits.length < MIN_BARE_DIGITS || /^\W*800|\./.test(run) || JOINTS.test(run)) return null;
  if (RUSSIAN.test(digits) && readValid(digits.replace(RUSSIAN, '+7'))) return null;
  const phone = readInternational(run, place);
  const isBehindOther = first.length < MIN_FIRST_GROUP || UAE.test(digits.slice(first.length));
  return phone && (!isBehindOther || first === phone.countryCallingCode) ? phone.number : null;
}

const ZERO_IN_BRACKETS = /\(\s*0\s*\)/;
const LAST_GROUP = /\D+\d{1,4}$/;

/** Null if valid both with and without a zero in brackets, or without the digits before a word (`2 beds`). */
function readInternational(run: string, { isBeforeWord }: Place): PhoneNumber | null {
  const parse = (form: string) => readValid(`+${compact(form).replace(/^\+?(?:00)?/, '')}`);
  const phone = parse(run);
  const withoutZero = ZERO_IN_BRACKETS.test(run) ? parse(run.replace(ZERO_IN_BRACKETS, '')) : phone;
  if (phone && withoutZero && phone.number !== withoutZero.number) return null;
  const isCounted = isBeforeWord && LAST_GROUP.test(run) && parse(run.replace(LAST_GROUP, ''));
  return isCounted ? null : (phone ?? withoutZero);
}

/** As WhatsApp still writes them. */
const FORMER_MEXICAN = /^\+521(?=\d{10}$)/;
const FORMER_BRAZILIAN = /^\+55(\d\d)(?=[689]\d{7}$)/;

function readValid(typed: string): PhoneNumber | null {
  const number = typed.replace(FORMER_MEXICAN, '+52').replace(FORMER_BRAZILIAN, '+55$19');
  const phone = parsePhoneNumberFromString(number, { extract: false });
  if (!phone?.isValid() || isPlaceholder(phone.nationalNumber)) return null;
  // More digits are dropped than a trunk prefix has: another number.
  const isSame = number.length - phone.number.length <= 2;
  return isSame && phone.number.length <= MAX_LENGTH ? phone : null;
}

function compact(run: string): string {
  return run.replace(/[^\d+]/g, '');
}

/** One digit only, or a subscriber number of zeros only. */
function isPlaceholder(national: string): boolean {
  return /^(\d)\1*$|0{7}$/.test(national);
}
