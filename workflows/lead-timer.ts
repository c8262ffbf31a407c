import { CancellationScope, sleep } from '@temporalio/workflow';
import type { DueTimer } from './next-timer.ts';

export interface LeadTimer {
  /** Runs this timer from now on; one for the same due time goes on as it is. Null stops it. */
  set(next: DueTimer | null): void;
  readonly isSet: boolean;
  /** The timer that was set, once it expired. */
  readonly expired: DueTimer | null;
}

interface RunningTimer {
  timer: DueTimer;
  scope: CancellationScope;
  hasExpired: boolean;
}

/** The one timer of a lead's run. Events that leave its due time alone neither cancel nor restart it. */
export function createLeadTimer(): LeadTimer {
  let running: RunningTimer | null = null;
  return {
    set(next) {
      const isSame = running?.timer.kind === next?.kind && running?.timer.dueAtMs === next?.dueAtMs;
      if (isSame) return;
      running?.scope.cancel();
      running = next && start(next);
    },
    get isSet() {
      return running !== null;
    },
    get expired() {
      return running?.hasExpired ? running.timer : null;
    },
  };
}

/** What is due already starts no timer in Temporal. */
function start(timer: DueTimer): RunningTimer {
  const running = { timer, scope: new CancellationScope(), hasExpired: false };
  const { dueAtMs, summary } = timer;
  const delayMs = dueAtMs - Date.now();
  const expire = () => void (running.hasExpired = true);
  if (delayMs <= 0) expire();
  else running.scope.run(() => sleep(delayMs, { summary })).then(expire, () => undefined);
  return running;
}
