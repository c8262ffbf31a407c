/** ISO 8601 with a date at least; a local time without an offset is taken as UTC. */
const ISO_INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

const MINUTE_MS = 60_000;

/** Date.UTC takes the years before 100 for ones of the twentieth century. */
const FIRST_YEAR = 1000;

/** The instant that a text names, or null when it cannot be read as one (31 February included). */
export function readInstant(text: string): Date | null {
  const parts = ISO_INSTANT.exec(text.trim());
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number];
  if (hour > 23 || minute > 59 || second > 60) return null;
  const millisecond = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second, millisecond));
  if (year < FIRST_YEAR || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month))
    return null;
  const offset = offsetMinutes(parts[8] ?? 'Z');
  return offset === null ? null : withinReach(new Date(local.getTime() - offset * MINUTE_MS));
}

/** A year that an ISO text writes with four digits, in UTC too. */
function withinReach(instant: Date): Date | null {
  const year = instant.getUTCFullYear();
  return year >= FIRST_YEAR && year <= 9999 ? instant : null;
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function offsetMinutes(zone: string): number | null {
  if (zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 14 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
