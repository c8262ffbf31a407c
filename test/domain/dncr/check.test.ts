import { isFresh } from '../../../domain/dncr/answer-cache.ts';
import type { AnswerStatus } from '../../../domain/dncr/registry-answer.ts';
import {
  checkMeta,
  resultRows,
  readCheckRequest,
  type KnownAnswer,
  checkTimeouts,
} from '../../../domain/dncr/check.ts';
import fc from 'fast-check';
import { hashNumber } from '../../../domain/dncr/number.ts';

const checkedAt = new Date('2026-09-20T08:00:00Z');

function answer(phone: string, status: AnswerStatus, overrides: Partial<KnownAnswer> = {}) {
  const known = { phone, status, dncrStatus: null, registryStatus: null, checkedAt };
  return { ...known, source: 'fresh' as const, ...overrides };
}

function rowsOf(inputs: string[], ...answers: KnownAnswer[]) {
  const known = new Map(answers.map((given) => [given.phone, given]));
  return resultRows(readCheckRequest(inputs, false).inputs, known);
}

describe('a result row has every field when the number is', () => {
  const asked = { input: '501234567', phone: '0501234567', e164: '+971501234567' };
  const answered = { ...asked, checkedAt: checkedAt.toISOString(), source: 'fresh', error: null };

  test.each([
    ['registered', 'TRUE', null, true],
    ['not_registered', 'FALSE', null, false],
    ['not_found', null, 'Account Number – Not Found', null],
  ] as const)('%s', (status, dncrStatus, registryStatus, onDncr) => {
    const known = answer('0501234567', status, { dncrStatus, registryStatus });
    expect(rowsOf(['501234567'], known)).toEqual([
      { ...answered, status, onDncr, dncrStatus, registryStatus },
    ]);
  });

  test('unavailable, which was not checked', () => {
    const nothing = { checkedAt: null, source: null, onDncr: null };
    const noAnswer = { dncrStatus: null, registryStatus: null, error: expect.any(String) };
    const unavailable = { ...asked, ...nothing, ...noAnswer, status: 'unavailable' };
    expect(rowsOf(['501234567'], answer('0501234567', 'unavailable'))).toEqual([unavailable]);
    expect(rowsOf(['501234567'])).toEqual([unavailable]);
    const odd = answer('0501234567', 'unavailable', { dncrStatus: 'MAYBE' });
    expect(rowsOf(['501234567'], odd)).toEqual([{ ...unavailable, dncrStatus: 'MAYBE' }]);
  });

  test('invalid, which leaves all but the input and the reason empty', () => {
    expect(rowsOf(['hello'])).toEqual([
      {
        input: 'hello',
        phone: null,
        e164: null,
        status: 'invalid',
        onDncr: null,
        dncrStatus: null,
        registryStatus: null,
        checkedAt: null,
        source: null,
        error: 'Not a UAE mobile number.',
      },
    ]);
  });
});

describe('the result', () => {
  const inputs = ['+971 50 123 4567', 'x', '0551234567', '050-1234567', 'x'];

  test('has one row per number sent, in the order sent', () => {
    const rows = rowsOf(inputs, answer('0551234567', 'registered'));
    expect(rows.map(({ input }) => input)).toEqual(inputs);
    expect(rows[3]).toEqual({ ...rows[0], input: '050-1234567' });
  });

  test('counts in meta what was sent, what is distinct and where it came from', () => {
    const request = readCheckRequest(inputs, true);
    const cached = answer('0551234567', 'registered', { source: 'cache' });
    expect(request.phones).toEqual(['0501234567', '0551234567']);
    expect(checkMeta(request, new Map([[cached.phone, cached]]), 't-1')).toEqual({
      requested: 5,
      unique: 2,
      invalid: 2,
      fromCache: 1,
      fromRegistry: 1,
      fresh: true,
      cacheTtlDays: 180,
      maxNumbersPerRequest: 20,
      transactionId: 't-1',
    });
  });
});

describe('an answer', () => {
  test.each([
    ['2026-06-29T23:59:59Z', true],
    ['2026-06-30T00:00:00Z', false],
  ])('of the first of January counts at %s: %s', (now, counts) => {
    expect(isFresh(new Date('2026-01-01T00:00:00Z'), new Date(now))).toBe(counts);
  });
});

describe('the timeouts of a check', () => {
  test('follow from the tries and the time of one', () => {
    expect(checkTimeouts({ tries: 2, timeoutMs: 5000 })).toEqual({
      tries: 2,
      tryMs: 5000,
      startMs: 5000,
      askMs: 11_200,
      checkMs: 13_200,
      answerMs: 14_200,
    });
  });

  test('let each step end before the one around it times out', () => {
    const settings = fc.record({
      tries: fc.integer({ min: 1, max: 10 }),
      timeoutMs: fc.nat(60_000),
    });
    fc.assert(
      fc.property(settings, ({ tries, timeoutMs }) => {
        const timeouts = checkTimeouts({ tries, timeoutMs });
        expect(tries * timeoutMs).toBeLessThan(timeouts.askMs);
        expect(timeouts.askMs).toBeLessThan(timeouts.checkMs);
        expect(timeouts.checkMs).toBeLessThan(timeouts.answerMs);
      }),
    );
  });
});

describe('the hash of a number', () => {
  test('is the same for the same number and key, and reveals neither', () => {
    const key = Buffer.alloc(32, 7);
    expect(hashNumber('0501234567', key)).toEqual(hashNumber('0501234567', key));
    expect(hashNumber('0501234567', key)).not.toEqual(hashNumber('0501234568', key));
    expect(hashNumber('0501234567', key)).not.toEqual(
      hashNumber('0501234567', Buffer.alloc(32, 8)),
    );
  });
});
