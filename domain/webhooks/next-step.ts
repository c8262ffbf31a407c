import { assertNever } from '../assert-never.ts';
import { failingSince, hasFailedTooLong, type EndpointHealth } from './endpoint.ts';
import type { Outcome } from './outcome.ts';
import { nextDelayMs } from './retry-schedule.ts';

/** What follows from an attempt, for the delivery and for the endpoint. */
export type NextStep =
  | { kind: 'delivered' }
  | { kind: 'retry'; delayMs: number; failingSince: Date }
  | { kind: 'give_up'; reason: string; failingSince: Date; switchOff: string | null };

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
      return switchOff(facts, 'The endpoint answered 410 Gone.');
    case 'failed':
      return afterFailure(facts, outcome);
    default:
      return assertNever(outcome);
  }
}

function afterFailure(facts: AttemptFacts, outcome: Outcome & { kind: 'failed' }): NextStep {
  const { attempt, at, jitter, scheduleMs, health } = facts;
  const since = failingSince(health, at);
  if (hasFailedTooLong(since, at)) {
    return switchOff(facts, `The endpoint has failed since ${since.toISOString()}.`);
  }
  const delayMs = nextDelayMs(attempt, scheduleMs, jitter, outcome.retryAfterMs);
  if (delayMs !== null) return { kind: 'retry', delayMs, failingSince: since };
  const reason = `Given up after ${attempt} tries; at the last one ${outcome.text}.`;
  return { kind: 'give_up', reason, failingSince: since, switchOff: null };
}

function switchOff({ at, health }: AttemptFacts, why: string): NextStep {
  const reason = `${why} It was switched off.`;
  return { kind: 'give_up', reason, failingSince: failingSince(health, at), switchOff: why };
}
