import type { LeadSnapshot } from './contracts/lead-snapshot.ts';

export interface DueTimer {
  kind: 'follow-up' | 'merge-window';
  /** Milliseconds since 1970. */
  dueAtMs: number;
  /** As an operator reads it beside the timer. */
  summary: string;
}

/** The timer that expires next, or null when nothing is waited for. */
export function nextTimer({ followUpDueAtMs, mergeWindowEndsAtMs }: LeadSnapshot): DueTimer | null {
  const followUp = timer('follow-up', 'response clock of the agent', followUpDueAtMs);
  const window = timer('merge-window', 'end of the merge window', mergeWindowEndsAtMs);
  if (!followUp || !window) return followUp ?? window;
  return followUp.dueAtMs <= window.dueAtMs ? followUp : window;
}

function timer(kind: DueTimer['kind'], summary: string, dueAtMs: number | null): DueTimer | null {
  return dueAtMs === null ? null : { kind, summary, dueAtMs };
}
