import type { LeadStanding } from './messages.ts';

export interface DueTimer {
  kind: 'follow-up' | 'merge-window';
  /** None when it ran out already. */
  delayMs: number;
  /** As an operator reads it beside the timer. */
  summary: string;
}

/** The timer that runs out next, or null when nothing is waited for. */
export function nextTimer(standing: LeadStanding, nowMs: number): DueTimer | null {
  const { followUpDueAtMs, mergeWindowEndsAtMs } = standing;
  const followUp = timer('follow-up', 'response clock of the agent', followUpDueAtMs, nowMs);
  const window = timer('merge-window', 'end of the merge window', mergeWindowEndsAtMs, nowMs);
  if (!followUp || !window) return followUp ?? window;
  return followUp.delayMs <= window.delayMs ? followUp : window;
}

function timer(
  kind: DueTimer['kind'],
  summary: string,
  dueAtMs: number | null,
  nowMs: number,
): DueTimer | null {
  return dueAtMs === null ? null : { kind, summary, delayMs: Math.max(0, dueAtMs - nowMs) };
}
