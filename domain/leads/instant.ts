/** ISO 8601 with a date at least; a local time without an offset is taken as UTC. */
const ISO_INSTANT = new RegExp(
  String.raw`^([1-9]\d{3})-(0[1-9]|1[0-2])-(\d\d)` +
    String.raw`(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d|60)(?:[.,](\d{1,9}))?)?` +
    String.raw`\s?(?:Z|([+-])(0\d|1[0-4])(?::?([0-5]\d))?)?)?$`,
  'i',
);

/** The instant that a text names, or null when it cannot be read as one (31 February included). */
export function readInstant(text: string): Date | null {
  const parts = ISO_INSTANT.exec(text.trim())
    ?.slice(1)
    .map((part = '') => part);
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  if (day < 1 || day > daysInMonth(year, month)) return null;
  const [fraction = '', sign, zoneHours, zoneMinutes] = parts.slice(6);
  const millisecond = Number(fraction.padEnd(3, '0').slice(0, 3));
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1);
  return withFourDigitYear(
    new Date(Date.UTC(year, month - 1, day, hour, minute - offset, second, millisecond)),
  );
}

/** An ISO text writes a year with four digits, in UTC too; Date.UTC takes those before 100 for later ones. */
function withFourDigitYear(instant: Date): Date | null {
  const year = instant.getUTCFullYear();
  return year >= 1000 && year <= 9999 ? instant : null;
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
