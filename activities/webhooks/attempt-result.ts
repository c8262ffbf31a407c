import { describeFailure } from '../../domain/webhooks/outcome.ts';
import type { LoadedDelivery } from '../../store/webhooks/load-delivery.ts';
import type {
  DeliveryInput,
  DeliveryOutcome,
  DeliveryReport,
} from '../../workflows/contracts/webhook-delivery.ts';

/** The report of an attempt, and when the next one is due where there is one. */
export interface AttemptResult {
  report: DeliveryReport;
  next: { type: 'AttemptFailed' | 'NotDueYet' | 'Throttled'; delayMs: number } | null;
}

export function ended(
  { eventId }: DeliveryInput,
  outcome: Exclude<DeliveryOutcome, 'retrying'>,
  attempts: number,
  detail: string,
): AttemptResult {
  return { report: { eventId, outcome, attempts, detail }, next: null };
}

/** The attempt that was made just now failed. */
export function attemptFailed(
  { eventId }: DeliveryInput,
  attempts: number,
  failure: string,
  delayMs: number,
): AttemptResult {
  const detail = `${failure}; the next attempt comes in ${formatDelay(delayMs)}.`;
  const report = { eventId, outcome: 'retrying', attempts, detail } as const;
  return { report, next: { type: 'AttemptFailed', delayMs } };
}

/** No attempt was made: the schedule in Postgres decides, whichever activity asks. */
export function notDueYet(
  input: DeliveryInput,
  delivery: LoadedDelivery,
  delayMs: number,
  scheduled: number,
): AttemptResult {
  const failure =
    delivery.attempts > 0
      ? failureText(delivery, delivery.attempts, scheduled, describeFailure(delivery))
      : 'It was postponed';
  const { report } = attemptFailed(input, delivery.attempts, failure, delayMs);
  return { report, next: { type: 'NotDueYet', delayMs } };
}

/** No attempt was made, and none is counted. */
export function throttled(
  { eventId }: DeliveryInput,
  { attempts }: LoadedDelivery,
  delayMs: number,
): AttemptResult {
  const detail = `The endpoint has as many calls open as it may have; this one asks again in ${formatDelay(delayMs)}.`;
  const report = { eventId, outcome: 'retrying', attempts, detail } as const;
  return { report, next: { type: 'Throttled', delayMs } };
}

export function failureText(
  { url, eventType }: { url: string; eventType: string },
  attempt: number,
  scheduled: number,
  failure: string,
): string {
  return `Attempt ${attempt} of ${scheduled} of ${eventType} to ${new URL(url).host}: ${failure}`;
}

const HOUR_S = 3600;

/** `5 s`, `30 min`, `2 h 5 min`: a delay as the pending activity shows it. */
function formatDelay(delayMs: number): string {
  const seconds = Math.round(delayMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor((seconds % HOUR_S) / 60);
  const hours = Math.floor(seconds / HOUR_S);
  if (hours === 0) return `${minutes} min`;
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}
