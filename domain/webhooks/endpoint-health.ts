import { assertNever } from '../assert-never.ts';
import type { DisabledReason } from './event-payloads.ts';
import type { Outcome } from './call-outcome.ts';
import { nextDelayMs } from './retry-schedule.ts';

export type NextStep = { kind: 'delivered' } | Failure;

type EndpointAlert =
  { type: 'endpoint.failing' } | { type: 'endpoint.disabled'; reason: DisabledReason };

export type Failure = { failingSince: Date; alert: EndpointAlert | null } & (
  { kind: 'retry'; delayMs: number } | { kind: 'give_up'; reason: string; switchOff: string | null }
);

export interface AttemptFacts {
  outcome: Outcome;
  attempt: number;
  at: Date;
  jitter: number;
  scheduleMs: readonly number[];
  health: EndpointHealth;
}

export function decideNextStep(attempt: AttemptFacts): NextStep {
  const { outcome, at } = attempt;
  const facts = { ...attempt, health: withoutSilence(attempt.health, at) };
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
  if (at.getTime() - since.getTime() >= SWITCH_OFF_AFTER_MS)
    return switchOff(facts, 'failing', 'The endpoint has failed for 5 days.');
  const common = { failingSince: since, alert: failingAlert(since, health, at) };
  const delayMs = nextDelayMs(attempt, scheduleMs, jitter, outcome.retryAfterMs);
  if (delayMs !== null) return { kind: 'retry', delayMs, ...common };
  const reason = `Given up after ${attempt} attempts; at the last one ${outcome.text}.`;
  return { kind: 'give_up', reason, switchOff: null, ...common };
}

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

/** A longer time between two failed calls does not count as failing. */
const LONGEST_PAUSE_MS = DAY_MS;

interface EndpointHealth {
  /** The first failure after which no call succeeded, later by each silence since. */
  failingSince: Date | null;
  lastFailureAt: Date | null;
}

function withoutSilence({ failingSince, lastFailureAt }: EndpointHealth, at: Date): EndpointHealth {
  const pauseMs = at.getTime() - (lastFailureAt ?? at).getTime();
  if (failingSince === null || pauseMs <= LONGEST_PAUSE_MS) return { failingSince, lastFailureAt };
  return { failingSince: new Date(failingSince.getTime() + pauseMs), lastFailureAt: at };
}

export function failingAlertAt(failingSince: Date): Date {
  return new Date(failingSince.getTime() + ALERT_AFTER_MS);
}
