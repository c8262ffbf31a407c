import { withoutInvisible } from '../written-text.ts';

/** ISO 8601 with a date, by month or by week. A local time without an offset is UTC. */
const ISO_INSTANT = new RegExp(
  String.raw`^(?<year>[1-9]\d{3})(?:-(?<month>0[1-9]|1[0-2])-(?<day>\d\d)|(?<basicMonth>0[1-9]|1[0-2])(?<basicDay>\d\d)` +
    String.raw`|-?W(?<week>\d\d)-?(?<weekday>[1-7]))` +
    String.raw`(?:[T ](?<hour>[01]\d|2[0-3]):?(?<minute>[0-5]\d)(?::?(?<second>[0-5]\d|60)(?:[.,](?<fraction>\d{1,9}))?)?` +
    String.raw`\s?(?:Z|(?<sign>[+-])(?<zoneHours>0\d|1[0-4])(?::?(?<zoneMinutes>[0-5]\d))?)?)?$`,
  'i',
);

/** Null if unreadable, such as 31 February. */
export function readInstant(text: string): Date | null {
  const parts = ISO_INSTANT.exec(withoutInvisible(text).trim())?.groups;
  const day = parts && dayOf(parts);
  if (!day) return null;
  const { hour = 0, minute = 0, second = 0, fraction = '', sign } = parts;
  const { zoneHours = 0, zoneMinutes = 0 } = parts;
  const millisecond = Number(fraction.padEnd(3, '0').slice(0, 3));
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1);
  const time = [Number(hour), Number(minute) - offset, Number(second), millisecond] as const;
  return withFourDigitYear(new Date(day.setUTCHours(...time)));
}

type Parts = Partial<Record<string, string>>;

function dayOf({ year, month, basicMonth, day, basicDay, week, weekday }: Parts): Date | null {
  if (week !== undefined) return weekDay(Number(year), Number(week), Number(weekday));
  const [monthOfYear, dayOfMonth] = [Number(month ?? basicMonth), Number(day ?? basicDay)];
  if (dayOfMonth < 1 || dayOfMonth > daysInMonth(Number(year), monthOfYear)) return null;
  return new Date(Date.UTC(Number(year), monthOfYear - 1, dayOfMonth));
}

/** The first ISO week has the year's first Thursday. Null for a week that the year does not have. */
export function weekDay(year: number, week: number, weekday: number): Date | null {
  const fourth = new Date(Date.UTC(year, 0, 4));
  const monday = 4 - ((fourth.getUTCDay() + 6) % 7);
  const thursday = new Date(Date.UTC(year, 0, monday + 7 * (week - 1) + 3));
  if (week < 1 || thursday.getUTCFullYear() !== year) return null;
  return new Date(Date.UTC(year, 0, monday + 7 * (week - 1) + weekday - 1));
}

/** Date.UTC takes years before 100 for later ones. */
function withFourDigitYear(instant: Date): Date | null {
  const year = instant.getUTCFullYear();
  return year >= 1000 && year <= 9999 ? instant : null;
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
