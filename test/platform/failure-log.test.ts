import { createFailureLog } from '../../platform/failure-log.ts';

const SECOND_MS = 1000;

let nowMs: number;
let lines: unknown[];
let failures: ReturnType<typeof createFailureLog<{ reason: string }>>;
beforeEach(() => {
  nowMs = 0;
  lines = [];
  failures = createFailureLog<{ reason: string }>({
    nowMs: () => nowMs,
    writeFailure: (fields) => void lines.push(fields),
    writeEnd: ({ times }) => void lines.push({ over: times }),
  });
});

/** Twice a second, until the end of these seconds. */
function failFor(seconds: number, reason: string): void {
  const endMs = nowMs + seconds * SECOND_MS;
  for (; nowMs < endMs; nowMs += SECOND_MS / 2) failures.failed({ reason });
}

test('a failure that goes on has a line at its beginning and for a new reason, one a minute and one at its end', () => {
  failFor(90, 'away');
  failFor(60, 'read-only');
  failures.succeeded();
  failures.succeeded();
  expect(lines).toEqual([
    { reason: 'away', times: 1 },
    { reason: 'away', times: 120 },
    { reason: 'read-only', times: 60 },
    { over: 119 },
  ]);
});

test('what fails every other time has no more than two lines a minute', () => {
  for (; nowMs < 120 * SECOND_MS; nowMs += SECOND_MS) {
    failures.failed({ reason: 'away' });
    failures.succeeded();
  }
  expect(lines).toEqual([
    { reason: 'away', times: 1 },
    { over: 0 },
    { reason: 'away', times: 60 },
    { over: 0 },
  ]);
});

test('what no line has counted is logged before the process ends', () => {
  failFor(2, 'away');
  failures.flush();
  failures.flush();
  expect(lines).toEqual([
    { reason: 'away', times: 1 },
    { reason: 'away', times: 3 },
  ]);
});
