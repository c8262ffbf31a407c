import { parsePhoneNumberFromString as parsePhoneNumber } from 'libphonenumber-js/max';
import type { HistoryJson } from '../../cli/history/clean-history.ts';

/** Looks for phones, e-mails, folders of a machine and these names in every text of a history. */
export function findPersonalData({ events }: HistoryJson, names: readonly string[]) {
  return events.flatMap((event) =>
    kindsIn(event, names).map((what) => ({ eventId: event.eventId, what })),
  );
}

const EMAIL = /[^\s@"<>(),:;]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.)+\p{L}{2,}/u;
const FOLDER = /\/(?:home|work|root|tmp|Users)\//;

function kindsIn(value: unknown, names: readonly string[]): string[] {
  const texts = [...textsIn(value)].map(asTyped);
  const name = new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
  return [
    ...(texts.some((text) => EMAIL.test(text)) ? ['an e-mail'] : []),
    ...(texts.some(hasPhone) ? ['a phone'] : []),
    ...(texts.some((text) => FOLDER.test(text)) ? ['a folder of a machine'] : []),
    ...(texts.some((text) => name.test(text)) ? ['a name'] : []),
  ];
}

/** Keys as well; the texts in a payload one by one, since JSON in JSON has letters of its own between words. */
function* textsIn(value: unknown): Generator<string> {
  const { metadata, data } = Object(value) as { metadata?: unknown; data?: unknown };
  if (metadata !== undefined && typeof data === 'string') return yield* textsIn(decode(data));
  if (typeof value !== 'object') return yield String(value);
  for (const [key, each] of Object.entries(value ?? {})) {
    yield key;
    yield* textsIn(each);
  }
}

function decode(data: string): unknown {
  const text = Buffer.from(data, 'base64').toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Removes what the Web UI's pages put in front of characters that would be Markdown or a link. */
const asTyped = (text: string) => text.replace(/[\u200b\\]/g, '');

const IDS_AND_TIMES = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\d[T ][\d:.]+Z?/gi;
/** Written internationally or with a local 0: other digits may be an amount or a time. */
const PHONE_LIKE = /(?<![\p{L}\p{N}.+])(?:\+|0|971)[\d ().-]{6,18}\d(?![\p{L}\p{N}])/gu;

function hasPhone(text: string): boolean {
  const found = text.replace(IDS_AND_TIMES, ' ').match(PHONE_LIKE) ?? [];
  return found.some((digits) => {
    const phone = parsePhoneNumber(digits, 'AE');
    return (digits.startsWith('+') ? phone?.isPossible() : phone?.isValid()) === true;
  });
}
