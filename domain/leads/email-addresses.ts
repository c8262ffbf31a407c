import { domainToUnicode } from 'node:url';

const BOUNDARY = String.raw`,;:()[\]"\\،؛、`;
const WORD = new RegExp(`[^${BOUNDARY}]+`, 'gu');
const STARTS_APART = new RegExp(`^[${BOUNDARY}]`, 'u');

/** With blanks around it, between a name and a domain. */
const SPACED_AT = /(?<!@[^\s@]*)(?<=\p{L}[^\s@]*)[\p{Zs}\t]*@[\p{Zs}\t]*(?=[^\s@]+\.\p{L}{2})/gu;

/** With blanks around it, before the end that most emails have, if the domain has no other dot. */
const SPACED_DOT = /(?<=@[^\s@.,;:/]+)(?: \.|\. | \. )(com|net|org|ae)(?![^\s,;:/)\]>])/g;

/** WhatsApp's form, perhaps with the number of a device: `971501234567:12@s.whatsapp.net`. */
const WHATSAPP_PHONE =
  /(?<![^\s,;:<>()[\]{}"|?/\\])\+?([1-9]\d{7,14})(?:[.:_]\d{1,5}){0,2}@(?:c\.us|s\.whatsapp\.net)(?![\w.-])/g;

/** In lower case. `rest` may contain phones. */
export function readEmailAddresses(text: string): { emails: string[]; rest: string } {
  const typed = text
    .replace(WHATSAPP_PHONE, '+$1 ')
    .replace(SPACED_AT, '@')
    .replace(SPACED_DOT, '.$1');
  const emails: string[] = [];
  const rest = typed.replace(/[^\s<>]*[^\s<>@]@+[^\s<>@][^\s<>]*/g, (chunk, start: number) => {
    const bare = chunk.replace(LABEL, '').replace(QUERY, '').replace(BEHIND_DOMAIN, '$1,');
    const words = bare.match(WORD) ?? [];
    const isWhole = words.every((word) => readAddress(word) ?? PHONE.test(word));
    if (!isWhole || isCut(chunk, typed.slice(0, start))) return ',';
    emails.push(...words.flatMap((word) => readAddress(word) ?? []));
    return words.map((word) => (word.includes('@') ? ',' : word)).join(',');
  });
  return { emails: emails.filter((email) => !PLACEHOLDER.test(email)), rest };
}

const LABELS = new Set([
  ...['or', 'and', 'is', 'mailto', 'mail', 'email', 'e-mail', 'و', 'أو', 'او'],
  ...['إيميل', 'ايميل', 'إيميلي', 'ايميلي', 'بريدي', 'البريد', 'الإلكتروني', 'ایمیل'],
  ...['ईमेल', 'почта', '邮箱'],
]);
const LABEL = new RegExp(`^["'([]*(?:(?:${[...LABELS].join('|')}):)+`, 'u');
const QUERY = /\?[\w-]+=.*$/;
const BEHIND_DOMAIN = /(@[^@{}|?/]+)[{}|?/]+/g;
const PHONE = /^\+?[\p{N}._-]{7,}$/u;

/** Perhaps with joining characters: `ahmed . ali@x.example` is not `ali@x.example`. */
const WORD_BEFORE = new RegExp(
  String.raw`(?<=^|[\s<>${BOUNDARY}])([^\s<>${BOUNDARY}]+)[\p{Zs}\t]+(?:[!#$%&'*+\-./=?^_{|}~\x60]+[\p{Zs}\t]+)*$`,
  'u',
);

/** The chunk may lack its beginning: `layla smith@mail.example`. */
function isCut(chunk: string, before: string): boolean {
  const [, word = ''] = WORD_BEFORE.exec(before) ?? [];
  const isName = /[\p{L}\ufffd]/u.test(word) && readAddress(word) === null && !LABELS.has(word);
  return isName && !STARTS_APART.test(chunk);
}

const QUOTED = /^(['`*]+)(.+)\1$/u;
const SIGNS_BEFORE = /^[•▪●◦‣·“”„«»✉☎\p{Emoji_Presentation}]+/u;
const SIGNS_AFTER = /[^\p{L}\p{M}\p{N}\ufffd]+$/u;

const ADDRESS = /^([\p{L}\p{M}\p{N}.!#$%&'*+=^_`~-]+)@([^@]+)$/u;
/** Groups, devices and channels of WhatsApp. */
const NO_MAILBOX = /^(?:[cg]\.us|s\.whatsapp\.net|.*\.lid)$/;
/** Typed by people who do not give their email. */
const PLACEHOLDER =
  /^(?:no|none|na|nil|no-?e?mail|test|abc|xxx?|e?mail|example)@(?:no|none|na|nil|no-?e?mail|test|abc|xxx?|e?mail|gmail|example)\.(?:com|net|org)$/;

/** Null for a character that no email has, such as the sign for a lost letter. */
function readAddress(word: string): string | null {
  const bare = word.replace(QUOTED, '$2').replace(SIGNS_BEFORE, '').replace(SIGNS_AFTER, '');
  const [, name, host = ''] = ADDRESS.exec(bare) ?? [];
  const domain = normalizeDomain(host);
  return domain === null || NO_MAILBOX.test(domain) ? null : `${name}@${domain}`;
}

const DOMAIN = /^(?:[\w\u0080-\u{10ffff}-]+\.)+(?!\d+$)[\w\u0080-\u{10ffff}-]+$/u;

/** Needs a dot, and lower case. An internationalised domain is in its own script. */
export function normalizeDomain(domain: string): string | null {
  if (!DOMAIN.test(domain)) return null;
  const isPlain = /^[\w.-]+$/.test(domain) && !domain.includes('xn--');
  return isPlain ? domain : domainToUnicode(domain) || null;
}
