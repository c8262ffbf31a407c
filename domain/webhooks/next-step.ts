import { assertNever } from '../assert-never.ts';
import { failingAlertAt, failingSince, hasFailedTooLong, type EndpointHealth } from './endpoint.ts';
import type { DisabledReason } from './event-payloads.ts';
import type { Outcome } from './outcome.ts';
import { nextDelayMs } from './retry-schedule.ts';

/** What follows from an attempt, for the delivery and for the endpoint. */
export type NextStep = { kind: 'delivered' } | Failure;

/** What the client is told of the endpoint, unless another attempt told it meanwhile. */
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
  const since = failingSince(health, at);
  if (hasFailedTooLong(health, at)) {
    return switchOff(facts, 'failing', `The endpoint has failed since ${since.toISOString()}.`);
  }
  const common = { failingSince: since, alert: failingAlert(since, health, at) };
  const delayMs = nextDelayMs(attempt, scheduleMs, jitter, outcome.retryAfterMs);
  if (delayMs !== null) return { kind: 'retry', delayMs, ...common };
  const reason = `Given up after ${attempt} tries; at the last one ${outcome.text}.`;
  return { kind: 'give_up', reason, switchOff: null, ...common };
}

/** Once in a time of failures. */
function failingAlert(since: Date, { lastFailureAt }: EndpointHealth, at: Date) {
  const alertAt = failingAlertAt(since);
  const isFirst = lastFailureAt !== null && lastFailureAt < alertAt;
  return isFirst && at >= alertAt ? ({ type: 'endpoint.failing' } as const) : null;
}

function switchOff({ at, health }: AttemptFacts, reason: DisabledReason, why: string): Failure {
  return {
    ...{ kind: 'give_up', reason: `${why} It was switched off.`, switchOff: why },
    failingSince: failingSince(health, at),
    alert: { type: 'endpoint.disabled', reason },
  };
}
