/** A time as SQL gives it within JSON: `2026-03-02T08:00:00.000Z`. */
export function utcText(time: string): string {
  return `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
