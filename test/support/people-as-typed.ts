import fc from 'fast-check';

/** What a person sends, and which lines and mailboxes are in it: known from how it was made. */
export interface TypedPerson {
  leadPhones: string[];
  leadEmails: string[];
  owns: ReadonlySet<string>;
}

interface Typed {
  text: string;
  owns: string[];
  isEmail: boolean;
}

const UAE_LINES = ['501521111', '529876543', '551234567', '43334444', '26543210'];
const FOREIGN_LINES = [
  '447911123456',
  '919876543210',
  '14155552671',
  '79161234567',
  '966501234567',
];
const MAILBOXES = ['layla@y.example', 'omar@mail.example', 'o.smith+home@y.example', 'a@b.co'];
const NOBODY =
  'N/A|-|none|0|0000000000|123|لا يوجد|n/a 2|no email|layla@mail|@|.|050 423 45678'.split('|');

const local = (digits: string) => [digits.slice(0, -7), digits.slice(-7, -4), digits.slice(-4)];

const UAE_FORMS: ((line: string) => string)[] = [
  (line) => `0${line}`,
  (line) => `+971${line}`,
  (line) => `00971${line}`,
  (line) => `971${line}`,
  (line) => `+971 (0)${local(line).join(' ')}`,
  (line) => `(0${local(line)[0]}) ${local(line).slice(1).join('-')}`,
  (line) => `0${local(line).join('-')}`,
  (line) => `WhatsApp: 0${local(line).join(' ')}`,
  (line) => `\u202a+971${line}\u202c`,
  (line) => `0${line}`.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit))),
];
const FOREIGN_FORMS: ((line: string) => string)[] = [
  (line) => line,
  (line) => `+${line}`,
  (line) => `00${line}`,
  (line) => `+${line.slice(0, -7)} ${line.slice(-7, -4)}-${line.slice(-4)}`,
  (line) => `\u200e${line}\u200f`,
];
const MAIL_FORMS: ((mailbox: string) => string)[] = [
  (mailbox) => mailbox,
  (mailbox) => mailbox.toUpperCase(),
  (mailbox) => ` ${mailbox}. `,
  (mailbox) => `mailto:${mailbox}`,
  (mailbox) => `Layla <${mailbox}>`,
  (mailbox) => `"Omar (home) <${mailbox}>"`,
  (mailbox) => `\u200f${mailbox}\ufeff`,
];

const one = (
  all: readonly string[],
  forms: readonly ((value: string) => string)[],
  prefix: string,
) =>
  fc.tuple(fc.constantFrom(...all), fc.constantFrom(...forms)).map(([value, form]) => ({
    text: form(value),
    owns: [`${prefix}${value}`],
  }));

const phone = fc.oneof(one(UAE_LINES, UAE_FORMS, '+971'), one(FOREIGN_LINES, FOREIGN_FORMS, '+'));
const email = one(MAILBOXES, MAIL_FORMS, '');
const nobody = fc.constantFrom(...NOBODY).map((text) => ({ text, owns: [] as string[] }));

/** The longest entry of `leadPhones`. Longer ones are refused. */
const MAX_LENGTH = 64;

/** One text with one, two or no lines or mailboxes in it. */
const entry = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.tuple(phone) },
      { weight: 3, arbitrary: fc.tuple(email) },
      { weight: 3, arbitrary: fc.tuple(nobody) },
      { weight: 2, arbitrary: fc.tuple(phone, phone) },
      { weight: 1, arbitrary: fc.tuple(email, email) },
      { weight: 1, arbitrary: fc.tuple(phone, email) },
    ),
    fc.constantFrom(' / ', ', ', '; ', '\n', ' | '),
    fc.boolean(),
  )
  .map(([parts, separator, isEmail]): Typed => ({
    text: parts.map(({ text }) => text).join(separator),
    owns: parts.flatMap(({ owns }) => owns),
    isEmail,
  }))
  .filter(({ text }) => text.length <= MAX_LENGTH);

const person = fc.array(entry, { minLength: 1, maxLength: 3 }).map((entries): TypedPerson => ({
  leadPhones: entries.filter(({ isEmail }) => !isEmail).map(({ text }) => text),
  leadEmails: entries.filter(({ isEmail }) => isEmail).map(({ text }) => text),
  owns: new Set(entries.flatMap(({ owns }) => owns)),
}));

/** Two people as they may be typed, who share a line or mailbox in about one pair of three. */
export const typedPair = fc.tuple(person, person);

export function sharePoint(a: TypedPerson, b: TypedPerson): boolean {
  return [...a.owns].some((each) => b.owns.has(each));
}
