import { domainToUnicode } from 'node:url';

/** What never belongs to an address. */
const BOUNDARY = String.raw`,;:()[\]"\\،؛、`;
/** What may belong to one, but is more often something else. */
const RARE = '{}|?/';
const WORD = new RegExp(`[^${BOUNDARY}${RARE}]+`, 'gu');
const STARTS_APART = new RegExp(`^[${BOUNDARY}]`, 'u');

/** An `@` with blanks beside it, between a name and a domain. */
const SPACED_AT = /(?<!@[^\s@]*)(?<=\p{L}[^\s@]*)[\p{Zs}\t]*@[\p{Zs}\t]*(?=[^\s@]+\.\p{L}{2})/gu;

/** A dot with blanks beside it, between a domain that has no other and the end that most addresses have. */
const SPACED_DOT = /(?<=@[^\s@.,;:/]+)(?: \.|\. | \. )(com|net|org|ae)(?![^\s,;:/)\]>])/g;

/** A phone as WhatsApp writes it, perhaps with the number of a device: `971501234567:12@s.whatsapp.net`. */
const WHATSAPP_PHONE =
  /(?<![^\s,;:<>()[\]{}"|?/\\])\+?([1-9]\d{7,14})(?:[.:_]\d{1,5}){0,2}@(?:c\.us|s\.whatsapp\.net)(?![\w.-])/g;

/** Lists the addresses of a text in lower case, and returns the rest of it, which may hold phones. */
export function readEmailAddresses(text: string): { emails: string[]; rest: string } {
  const typed = text
    .replace(WHATSAPP_PHONE, '+$1 ')
    .replace(SPACED_AT, '@')
    .replace(SPACED_DOT, '.$1');
  const emails: string[] = [];
  let [end, before] = [0, ''];
  const rest = typed.replace(/[^\s<>]+/g, (chunk, start: number) => {
    if (/[<>\n\r]/.test(typed.slice(end, start)) || STARTS_APART.test(chunk)) before = '';
    end = start + chunk.length;
    const read = /[^@]@+[^@]/.test(chunk) ? readChunk(chunk, isCut(before)) : null;
    emails.push(...(read?.emails ?? []));
    before = JOINER.test(chunk) ? before : chunk;
    return read?.rest ?? chunk;
  });
  return { emails, rest };
}

/** Signs that may join an address to the word before it: `ahmed . ali@x.example` is not `ali@x.example`. */
const JOINER = /^[!#$%&'*+\-./=?^_`{|}~]+$/;

/** Whether an address behind this word may lack its beginning: `layla smith@mail.example`. */
function isCut(before: string): boolean {
  const last = before.replace(new RegExp(`^.*[${BOUNDARY}]`, 'u'), '');
  return /[\p{L}\ufffd]/u.test(last) && readAddress(last) === null && !LABELS.has(last);
}

/** Words before an address. */
const LABELS = new Set([
  ...['or', 'and', 'is', 'mailto', 'mail', 'email', 'e-mail', 'و', 'أو', 'او'],
  ...['إيميل', 'ايميل', 'إيميلي', 'ايميلي', 'بريدي', 'البريد', 'الإلكتروني', 'ایمیل'],
  ...['ईमेल', 'почта', '邮箱'],
]);
const LABEL = new RegExp(`^["'([]*(?:(?:${[...LABELS].join('|')}):)+`, 'u');
const QUERY = /\?[\w-]+=.*$/;

/** Addresses count if all of them is there: between blanks stand only addresses, and phones apart from them. */
function readChunk(chunk: string, isCut: boolean): { emails: string[]; rest: string } {
  const words = chunk.replace(LABEL, '').replace(QUERY, '').match(WORD) ?? [];
  const hasRare = new RegExp(`[${RARE}]`).test(chunk.replace(QUERY, ''));
  const isPhone = (word: string) => !hasRare && /^\+?[\p{N}._-]{7,}$/u.test(word);
  if (isCut || !words.every((word) => readAddress(word) ?? isPhone(word)))
    return { emails: [], rest: ',' };
  const addresses = words.flatMap((word) => readAddress(word) ?? []);
  return {
    emails: addresses.filter((address) => !PLACEHOLDER.test(address)),
    rest: words.map((word) => (word.includes('@') ? ',' : word)).join(','),
  };
}

const QUOTED = /^(['`*]+)(.+)\1$/u;
/** Quotes, bullets and emoji before an address, and any sign behind it. */
const SIGNS_BEFORE = /^[•▪●◦‣·“”„«»✉☎\p{Emoji_Presentation}]+/u;
const SIGNS_AFTER = /[^\p{L}\p{M}\p{N}\ufffd]+$/u;

const ADDRESS = /^([\p{L}\p{M}\p{N}.!#$%&'*+=^_`~-]+)@([^@]+)$/u;
/** Groups, devices and channels of WhatsApp. */
const NO_MAILBOX = /^(?:[cg]\.us|s\.whatsapp\.net|.*\.lid)$/;
/** What people type who keep their address to themselves. */
const PLACEHOLDER =
  /^(?:no|none|na|nil|no-?e?mail|test|abc|xxx?|e?mail|example)@(?:no|none|na|nil|no-?e?mail|test|abc|xxx?|e?mail|gmail|example)\.(?:com|net|org)$/;

/** Null for a word that is no address, or has a character that no address has, such as the sign for a lost letter. */
function readAddress(word: string): string | null {
  const bare = word.replace(QUOTED, '$2').replace(SIGNS_BEFORE, '').replace(SIGNS_AFTER, '');
  const [, name, host = ''] = ADDRESS.exec(bare) ?? [];
  const domain = normalizeDomain(host);
  return domain === null || NO_MAILBOX.test(domain) ? null : `${name}@${domain}`;
}

const DOMAIN = /^(?:[\w\u0080-\u{10ffff}-]+\.)+(?!\d+$)[\w\u0080-\u{10ffff}-]+$/u;

/** A domain with a dot, an internationalised one in its own script; null for anything else. Expects lower case. */
export function normalizeDomain(domain: string): string | null {
  if (!DOMAIN.test(domain)) return null;
  const isPlain = /^[\w.-]+$/.test(domain) && !domain.includes('xn--');
  return isPlain ? domain : domainToUnicode(domain) || null;
}
