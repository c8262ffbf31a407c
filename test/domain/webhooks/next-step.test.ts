import { describe, expect, test } from '@jest/globals';
import { nextStep } from '../../../domain/webhooks/next-step.ts';
import type { TryFacts } from '../../../domain/webhooks/next-step.ts';
import { outcomeOf } from '../../../domain/webhooks/outcome.ts';
import type { Answer, CallError } from '../../../domain/webhooks/outcome.ts';

const AT = new Date('2026-11-10T08:00:00Z');
const daysAgo = (days: number) => new Date(AT.getTime() - days * 86_400_000);

function answered(status: number, retryAfter: string | null = null): Answer {
  return { kind: 'answered', status, retryAfter, head: '', latencyMs: 5 };
}

function facts(answer: Answer, more: Partial<TryFacts> = {}): TryFacts {
  const health = { failingSince: null, lastFailureAt: null };
  const common = { attempt: 1, at: AT, jitter: 0, scheduleMs: [5000, 300_000], health };
  return { outcome: outcomeOf(answer, AT), ...common, ...more };
}

describe('what an answer means', () => {
  test.each([200, 201, 202, 204, 299])('%i is a success', (status) => {
    expect(outcomeOf(answered(status), AT).kind).toBe('delivered');
  });

  test.each([300, 301, 302, 303, 307, 308])('%i is a redirect, so a failure', (status) => {
    expect(outcomeOf(answered(status), AT)).toMatchObject({ kind: 'failed', error: 'redirect' });
  });

  test.each([400, 401, 404, 408, 409, 429, 500, 502, 503, 504])('%i is a failure', (status) => {
    expect(outcomeOf(answered(status), AT)).toMatchObject({ kind: 'failed', error: 'status' });
  });

  test('410 switches the endpoint off', () => {
    expect(outcomeOf(answered(410), AT).kind).toBe('gone');
  });

  test('Retry-After comes along', () => {
    expect(outcomeOf(answered(429, '90'), AT)).toMatchObject({ retryAfterMs: 90_000 });
  });

  const errors: CallError[] = [
    'timeout',
    'forbidden_address',
    'name_not_found',
    'connection_refused',
    'connection_closed',
    'tls',
    'bad_answer',
    'unreachable',
  ];
  test.each(errors)('%s is a failure that says what it was', (error) => {
    const outcome = outcomeOf({ kind: 'no_answer', error, latencyMs: 1 }, AT);
    expect(outcome).toMatchObject({ kind: 'failed', error, retryAfterMs: null });
    expect(outcome.text).not.toBe('');
  });
});

describe('what follows from a try', () => {
  test('a success ends the delivery', () => {
    expect(nextStep(facts(answered(204)))).toEqual({ kind: 'delivered' });
  });

  test('a failure is tried again, and the endpoint fails from now on', () => {
    const step = { kind: 'retry', delayMs: 5000, failingSince: AT };
    expect(nextStep(facts(answered(500)))).toEqual(step);
  });

  test('after the last try it is given up, and the endpoint stays on', () => {
    const step = nextStep(facts(answered(500), { attempt: 3 }));
    expect(step).toMatchObject({ kind: 'give_up', switchOff: null });
    expect(step).toMatchObject({ reason: expect.stringContaining('after 3 tries') });
  });

  test('410 gives up at once and switches the endpoint off', () => {
    const step = nextStep(facts(answered(410)));
    expect(step).toMatchObject({ kind: 'give_up', switchOff: 'The endpoint answered 410 Gone.' });
  });

  test.each([
    ['4.9 days', 4.9, 'retry'],
    ['5 days', 5, 'give_up'],
    ['9 days', 9, 'give_up'],
  ])('an endpoint that has failed for %s: %s', (_, days, kind) => {
    const health = { failingSince: daysAgo(days), lastFailureAt: daysAgo(0.5) };
    expect(nextStep(facts(answered(500), { health })).kind).toBe(kind);
  });

  test('a quiet week is no failing: the count starts anew', () => {
    const health = { failingSince: daysAgo(7), lastFailureAt: daysAgo(6) };
    expect(nextStep(facts(answered(500), { health }))).toMatchObject({
      kind: 'retry',
      failingSince: AT,
    });
  });
});
