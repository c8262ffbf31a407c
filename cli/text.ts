import { mapTexts } from '../domain/written-text.ts';
import { MOST_COUNTED, type Page } from '../store/db/page.ts';

export interface Reader {
  timeZone: string;
  width: number;
}

let reader: Reader = { timeZone: 'UTC', width: Infinity };

export const currentReader = (): Reader => reader;

/** Formatting is synchronous, so concurrent commands never share a reader. */
export function writeFor<T>(of: Reader, write: () => T): T {
  const former = reader;
  reader = of;
  try {
    return write();
  } finally {
    reader = former;
  }
}

/** `2026-03-02 12:00:00` */
export function clockTime(time: Date | string, timeZone = reader.timeZone): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return format.format(new Date(time));
}

/** `2026-03-02 12:00:00 Asia/Dubai` */
export function timeText(time: Date | string | null, timeZone = reader.timeZone): string {
  return time === null ? '' : `${clockTime(time, timeZone)} ${timeZone}`;
}

/** Converts times such as `2026-03-02 08:00 UTC` in stored texts. */
export function withLocalTimes(text: string): string {
  return text.replaceAll(
    /(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g,
    (_, date: string, time: string) =>
      `${clockTime(`${date}T${time}Z`).slice(0, 'yyyy-mm-dd hh:mm'.length)} ${reader.timeZone}`,
  );
}

/** `3m 20s` */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  const [minutes, hours, days] = [60, 3600, 86_400].map((size) => Math.floor(whole / size));
  if (days) return `${days}d ${(hours ?? 0) % 24}h`;
  if (hours) return `${hours}h ${(minutes ?? 0) % 60}m`;
  return minutes ? `${minutes}m ${whole % 60}s` : `${whole}s`;
}

/** `4m` */
export function ageText(time: Date, now: Date): string {
  return durationText((now.getTime() - time.getTime()) / 1000).replace(/ .*/, '');
}

/** `in 4m` or `4m ago` */
export function distanceText(time: Date, now: Date): string {
  return time > now ? `in ${ageText(now, time)}` : `${ageText(time, now)} ago`;
}

export type Names = Readonly<Record<string, string>>;

/** The key may be any text, such as `constructor`. */
export function nameOf(id: string, names: Names): string {
  return Object.hasOwn(names, id) ? (names[id] ?? id) : id;
}

export function poolText(poolId: string, names: Names): string {
  return `pool ${nameOf(poolId, names)}`;
}

export function fieldLines(
  fields: readonly (readonly [string, unknown])[],
  labelWidth = 0,
): string {
  const present = fields.flatMap(([label, value]) => {
    const text = valueText(value);
    return text === '' ? [] : [[label, text] as const];
  });
  const width = Math.max(labelWidth, ...present.map(([label]) => label.length));
  return present.map(([label, text]) => `${label.padEnd(width)}  ${text}`).join('\n');
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value instanceof Date) return timeText(value);
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return String(value);
}

export function figure(amount: number): string {
  return amount.toLocaleString('en-US');
}

/** "1 rule", "2 rules" */
export function count(amount: number, what: string, plural = `${what}s`): string {
  return `${figure(amount)} ${amount === 1 ? what : plural}`;
}

export function notFoundText(what: string, near: readonly string[], otherwise = ''): string {
  return near.length > 0 ? `${what}. Near: ${near.join(', ')}.` : `${what}${otherwise}.`;
}

/** Null if the list is complete. */
export function cutNote(
  { rows, total }: Page<unknown>,
  what: string,
  plural?: string,
): string | null {
  if (rows.length >= total) return null;
  if (total > MOST_COUNTED)
    return `${figure(rows.length)} of more than ${count(MOST_COUNTED, what, plural)} shown; a higher --limit shows more.`;
  return `${figure(rows.length)} of ${count(total, what, plural)} shown; --limit ${total} shows all.`;
}

/** Invisible characters, except those of Arabic and emoji. */
const INVISIBLE =
  /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u200c\u200d]]/gv;
const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  const code = character.codePointAt(0)?.toString(16).padStart(4, '0') ?? '';
  return NAMED[character] ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code}`);
}

/** Escapes line breaks and invisible characters, so that outside text cannot forge lines or control the terminal. */
export function oneLine(text: string): string {
  return text.replace(INVISIBLE, escaped);
}

export function printable(text: string): string {
  return text.split('\n').map(oneLine).join('\n');
}

export function withOneLineTexts<T>(value: T): T {
  return mapTexts(value, oneLine) as T;
}
