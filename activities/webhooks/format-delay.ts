const HOUR_S = 3600;

/** `5 s`, `30 min`, `2 h 5 min`: a delay as the pending activity shows it. */
export function formatDelay(delayMs: number): string {
  const seconds = Math.round(delayMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor((seconds % HOUR_S) / 60);
  const hours = Math.floor(seconds / HOUR_S);
  if (hours === 0) return `${minutes} min`;
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}
