import fc from 'fast-check';
import { classifyCall, type CallResult } from '../../../domain/webhooks/call-outcome.ts';
import { decideNextStep, type AttemptFacts } from '../../../domain/webhooks/endpoint-health.ts';

const AT = new Date('2026-11-10T08:00:00Z');

function responded(status: number, retryAfter: string | null = null): CallResult {
  return { kind: 'responded', status, retryAfter, bodyPrefix: '', latencyMs: 5 };
}

function facts(result: CallResult, more: Partial<AttemptFacts> = {}): AttemptFacts {
  const health = { failingSince: null, lastFailureAt: null };
  const common = { attempt: 1, at: AT, jitter: 0, scheduleMs: [5000, 300_000], health };
  return { outcome: classifyCall(result, AT), ...common, ...more };
}

describe('what a response means', () => {
  test.each([200, 201, 202, 204, 299])('%i is a success', (status) => {
    expect(classifyCall(responded(status), AT).kind).toBe('delivered');
  });

  test.each([300, 301, 302, 303, 307, 308])('%i is a redirect, so a failure', (status) => {
    expect(classifyCall(responded(status), AT)).toMatchObject({
      kind: 'failed',
      error: 'redirect',
    });
  });

  test.each([400, 401, 404, 408, 409, 429, 500, 502, 503, 504])('%i is a failure', (status) => {
    expect(classifyCall(responded(status), AT)).toMatchObject({ kind: 'failed', error: 'status' });
  });

  test('410 switches the endpoint off', () => {
    expect(classifyCall(responded(410), AT).kind).toBe('gone');
  });

  test('the Retry-After delay is kept', () => {
    expect(classifyCall(responded(429, '90'), AT)).toMatchObject({ retryAfterMs: 90_000 });
  });

  test('no response is a failure with a text', () => {
    const outcome = classifyCall({ kind: 'no_response', error: 'timeout', latencyMs: 1 }, AT);
    expect(outcome).toMatchObject({ kind: 'failed', error: 'timeout', retryAfterMs: null });
    expect(outcome.text).not.toBe('');
  });
});

describe('what follows from an attempt', () => {
  test('a success ends the delivery', () => {
    expect(decideNextStep(facts(responded(204)))).toEqual({ kind: 'delivered' });
  });

  test('a failure is retried, and the endpoint counts as failing from now on', () => {
    const step = { kind: 'retry', delayMs: 5000, failingSince: AT, alert: null };
    expect(decideNextStep(facts(responded(500)))).toEqual(step);
  });

  test('after the last attempt it is given up, and the endpoint stays on', () => {
    const step = decideNextStep(facts(responded(500), { attempt: 3 }));
    expect(step).toMatchObject({ kind: 'give_up', switchOff: null });
    expect(step).toMatchObject({ reason: expect.stringContaining('after 3 attempts') });
  });

  test('410 gives up at once and switches the endpoint off', () => {
    const step = decideNextStep(facts(responded(410)));
    expect(step).toMatchObject({ kind: 'give_up', switchOff: 'The endpoint answered 410 Gone.' });
  });

  const HOUR_MS = 3_600_000;

  /** The hours at which calls of the endpoint that failed at these hours tell something. */
  function toldOf(failedAt: readonly number[]): [hours: number, type: string][] {
    let health: AttemptFacts['health'] = { failingSince: null, lastFailureAt: null };
    const told: [number, string][] = [];
    for (const hours of failedAt) {
      const at = new Date(AT.getTime() + hours * HOUR_MS);
      const step = decideNextStep(facts(responded(500), { health, at }));
      if (step.kind === 'delivered') throw new Error('It fails.');
      if (step.alert) told.push([hours, step.alert.type]);
      if (step.alert?.type === 'endpoint.disabled') break;
      health = { failingSince: step.failingSince, lastFailureAt: at };
    }
    return told;
  }

  test.each<[string, number[], [number, string][]]>([
    ['after a silence of six days', [0, 144, 144.002, 144.1], []],
    ['every four days, each time twice', [0, 0.1, 96, 96.1, 192, 192.1], []],
    [
      'on the schedule of one event',
      [0, 0.1, 0.6, 2.6, 8.1, 19.1, 30.1],
      [[30.1, 'endpoint.failing']],
    ],
    [
      'every 24 hours',
      [0, 24, 48, 72, 96, 120],
      [
        [24, 'endpoint.failing'],
        [120, 'endpoint.disabled'],
      ],
    ],
    [
      'for three days, then after two days for two more',
      [0, 24, 48, 72, 120.1, 144.1, 168.1],
      [
        [24, 'endpoint.failing'],
        [168.1, 'endpoint.disabled'],
      ],
    ],
  ])('an endpoint that fails %s', (_what, failedAt, told) => {
    expect(toldOf(failedAt)).toEqual(told);
  });

  test('whenever the calls come: it is told after a day and switched off after five without silences', () => {
    const pause = fc.oneof(
      fc.nat({ max: 24 }),
      fc.integer({ min: 20, max: 28 }),
      fc.nat({ max: 240 }),
    );
    fc.assert(
      fc.property(fc.array(pause, { maxLength: 40 }), (pauses) => {
        let [at, failedFor] = [0, 0];
        const calls = pauses.map((hours) => {
          at += hours;
          if (hours <= 24) failedFor += hours;
          return { at, failedFor };
        });
        const first = (hours: number) => calls.find((call) => call.failedFor >= hours)?.at;
        const expected = [
          [first(24), 'endpoint.failing'],
          [first(120), 'endpoint.disabled'],
        ].filter(([hours]) => hours !== undefined);
        expect(toldOf([0, ...calls.map((call) => call.at)])).toEqual(expected);
      }),
    );
  });
});
