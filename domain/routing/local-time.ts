/** The wall clock in a time zone; null for a zone that is not one. */
export function localTime(now: Date, timeZone: string) {
  const format = formatFor(timeZone);
  if (!format || Number.isNaN(now.getTime())) return null;
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const midnight = new Date(Date.UTC(part('year'), part('month') - 1, part('day')));
  return {
    /** ISO 8601 calendar date. */
    date: midnight.toISOString().slice(0, 10),
    /** 0 is Monday. */
    weekday: (midnight.getUTCDay() + 6) % 7,
    minuteOfDay: part('hour') * 60 + part('minute'),
  };
}

export function isTimeZone(timeZone: string): boolean {
  return formatFor(timeZone) !== null;
}

/** Making a formatter costs far more than using it, and there are few zones. */
const formats = new Map<string, Intl.DateTimeFormat | null>();

function formatFor(timeZone: string): Intl.DateTimeFormat | null {
  if (!formats.has(timeZone)) formats.set(timeZone, makeFormat(timeZone));
  return formats.get(timeZone) ?? null;
}

function makeFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  } catch {
    return null;
  }
}
