import { assertNever } from '../assert-never.ts';
import { failingSince, isToBeSwitchedOff } from './endpoint-health.ts';
import type { EndpointHealth } from './endpoint-health.ts';
import type { Outcome } from './outcome.ts';
import { nextDelayMs } from './retry-schedule.ts';

/** What follows from a try: for the delivery, and for the endpoint. */
export type NextStep =
  | { kind: 'delivered' }
  | { kind: 'retry'; delayMs: number; failingSince: Date }
  | { kind: 'give_up'; reason: string; failingSince: Date; switchOff: string | null };

export interface TryFacts {
  outcome: Outcome;
  /** 1 for the first. */
  attempt: number;
  at: Date;
  jitter: number;
  scheduleMs: readonly number[];
  health: EndpointHealth;
}

export function nextStep(facts: TryFacts): NextStep {
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

function afterFailure(facts: TryFacts, outcome: Outcome & { kind: 'failed' }): NextStep {
  const { attempt, at, jitter, scheduleMs, health } = facts;
  const since = failingSince(health, at);
  if (isToBeSwitchedOff(since, at)) {
    return switchOff(facts, `The endpoint has failed since ${since.toISOString()}.`);
  }
  const delayMs = nextDelayMs(attempt, scheduleMs, jitter, outcome.retryAfterMs);
  if (delayMs !== null) return { kind: 'retry', delayMs, failingSince: since };
  const reason = `Given up after ${attempt} tries; at the last one ${outcome.text}.`;
  return { kind: 'give_up', reason, failingSince: since, switchOff: null };
}

function switchOff({ at, health }: TryFacts, why: string): NextStep {
  const reason = `${why} It was switched off.`;
  return { kind: 'give_up', reason, failingSince: failingSince(health, at), switchOff: why };
}
