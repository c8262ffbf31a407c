import { assertNever } from '../assert-never.ts';
import type { DisabledReason } from './event-payloads.ts';
import type { Outcome } from './call-outcome.ts';
import { nextDelayMs } from './retry-schedule.ts';

/** What follows from an attempt, for the delivery and for the endpoint. */
type NextStep = { kind: 'delivered' } | Failure;

/** The event about the endpoint for the client, unless another attempt has sent it meanwhile. */
type EndpointAlert =
  { type: 'endpoint.failing' } | { type: 'endpoint.disabled'; reason: DisabledReason };

export type Failure = { failingSince: Date; alert: EndpointAlert | null } & (
  { kind: 'retry'; delayMs: number } | { kind: 'give_up'; reason: string; switchOff: string | null }
);

export interface AttemptFacts {
  outcome: Outcome;
  /** 1 for the first. */
  attempt: number;
  at: Date;
  jitter: number;
  scheduleMs: readonly number[];
  health: EndpointHealth;
}

export function decideNextStep(facts: AttemptFacts): NextStep {
  const { outcome } = facts;
  switch (outcome.kind) {
    case 'delivered':
      return { kind: 'delivered' };
    case 'gone':
      return switchOff(facts, 'gone', 'The endpoint answered 410 Gone.');
    case 'failed':
      return afterFailure(facts, outcome);
    default:
      return assertNever(outcome);
  }
}

function afterFailure(facts: AttemptFacts, outcome: Outcome & { kind: 'failed' }): Failure {
  const { attempt, at, jitter, scheduleMs, health } = facts;
  const since = health.failingSince ?? at;
  if (hasFailedTooLong(health, at)) {
    return switchOff(facts, 'failing', `The endpoint has failed since ${since.toISOString()}.`);
  }
  const common = { failingSince: since, alert: failingAlert(since, health, at) };
  const delayMs = nextDelayMs(attempt, scheduleMs, jitter, outcome.retryAfterMs);
  if (delayMs !== null) return { kind: 'retry', delayMs, ...common };
  const reason = `Given up after ${attempt} attempts; at the last one ${outcome.text}.`;
  return { kind: 'give_up', reason, switchOff: null, ...common };
}

/** Alerts once in each series of failures. */
function failingAlert(since: Date, { lastFailureAt }: EndpointHealth, at: Date) {
  const alertAt = failingAlertAt(since);
  const isFirst = lastFailureAt !== null && lastFailureAt < alertAt;
  return isFirst && at >= alertAt ? ({ type: 'endpoint.failing' } as const) : null;
}

function switchOff({ at, health }: AttemptFacts, reason: DisabledReason, why: string): Failure {
  return {
    kind: 'give_up',
    reason: `${why} It was switched off.`,
    switchOff: why,
    failingSince: health.failingSince ?? at,
    alert: { type: 'endpoint.disabled', reason },
  };
}

const DAY_MS = 24 * 3_600_000;
const SWITCH_OFF_AFTER_MS = 5 * DAY_MS;
const ALERT_AFTER_MS = DAY_MS;

/** Longer than the whole retry schedule. */
const QUIET_TIME_MS = 2 * DAY_MS;

interface EndpointHealth {
  /** The time since which every call to the endpoint has failed. */
  failingSince: Date | null;
  lastFailureAt: Date | null;
}

/** The first call after a quiet time may be lost for another reason: its retry decides. */
function hasFailedTooLong({ failingSince, lastFailureAt }: EndpointHealth, at: Date) {
  if (failingSince === null || lastFailureAt === null) return false;
  const wasQuiet = at.getTime() - lastFailureAt.getTime() > QUIET_TIME_MS;
  return !wasQuiet && at.getTime() - failingSince.getTime() >= SWITCH_OFF_AFTER_MS;
}

/** The time from which the next failure tells the client that the endpoint fails. */
export function failingAlertAt(failingSince: Date): Date {
  return new Date(failingSince.getTime() + ALERT_AFTER_MS);
}
