import { CancellationScope, sleep } from '@temporalio/workflow';
import type { LeadSnapshot } from './contracts/lead-snapshot.ts';

export interface DueTimer {
  kind: 'follow-up' | 'wait' | 'merge-window';
  /** Milliseconds since 1970. */
  dueAtMs: number;
  summary: string;
}

type RunningTimer = ReturnType<typeof start>;

export function createLeadTimer() {
  let running: RunningTimer | null = null;
  return {
    /** Keeps a running timer for the same due time, so that most events neither cancel nor restart it. */
    set(next: DueTimer | null): void {
      const isSame = running?.timer.kind === next?.kind && running?.timer.dueAtMs === next?.dueAtMs;
      if (isSame) return;
      running?.scope.cancel();
      running = next && start(next);
    },
    get isSet(): boolean {
      return running !== null;
    },
    get expired(): DueTimer | null {
      return running?.hasExpired ? running.timer : null;
    },
  };
}

/** Starts no timer in Temporal if it is already due. */
function start(timer: DueTimer) {
  const running = { timer, scope: new CancellationScope(), hasExpired: false };
  const { dueAtMs, summary } = timer;
  const delayMs = dueAtMs - Date.now();
  const expire = () => void (running.hasExpired = true);
  if (delayMs <= 0) expire();
  else running.scope.run(() => sleep(delayMs, { summary })).then(expire, () => undefined);
  return running;
}

export function nextTimer(lead: LeadSnapshot): DueTimer | null {
  const { followUpDueAtMs, mergeWindowEndsAtMs } = lead;
  const timers = [
    timerAt('follow-up', followUpDueAtMs, 'response clock of the agent'),
    timerAt('wait', waitTimerMs(lead), 'an agent can take the lead'),
    timerAt('merge-window', mergeWindowEndsAtMs, 'end of the merge window'),
  ].flat();
  return timers.toSorted((a, b) => a.dueAtMs - b.dueAtMs)[0] ?? null;
}

export function waitTimerMs({ waitCheckAtMs, waitDueAtMs }: LeadSnapshot) {
  return waitCheckAtMs ?? waitDueAtMs;
}

function timerAt(kind: DueTimer['kind'], dueAtMs: number | null | undefined, summary: string) {
  return typeof dueAtMs === 'number' ? [{ kind, dueAtMs, summary }] : [];
}
