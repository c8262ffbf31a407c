import type { Failure } from '../../../dev/replay/failure.ts';
import { createReport } from '../../../dev/replay/report.ts';

const WAIT = 'workflows/lead-lifecycle.ts:67 (LeadLifecycle)';
const TIMER = 'workflows/lead-timer.ts:42 (start)';

const differs = (history: string, command: string, at: string[]): Failure => ({
  text: `event 12: ${history} in the history, the code ${command}`,
  command,
  at,
});

/** The first lines of the groups that a report prints. */
function groupsOf(failures: readonly Failure[], namedRuns?: number): string[][] {
  const report = createReport(namedRuns === undefined ? {} : { namedRuns });
  for (const [index, failure] of failures.entries())
    report.add({ name: `run ${index}`, type: 'LeadLifecycle', runId: null, failure });
  const blocks = report.format().split('\n\n').slice(0, -1);
  return blocks.map((block) => block.split('\n').map((line) => line.trim()));
}

describe('the report of a replay', () => {
  test('prints runs together that fail by one command at one line, whatever their histories hold there', () => {
    const [group = [], ...others] = groupsOf([
      differs('search attributes `Agent`, `Funnel`', 'starts timer of 1 s', [WAIT]),
      differs("activity `retryWebhook` ('webhook')", 'starts timer of 2 s', [WAIT]),
      differs('search attributes `Funnel`', 'starts timer of 1 s', [WAIT]),
    ]);
    expect(others).toEqual([]);
    expect(group.slice(-3)).toEqual(['2 more in the same way:', 'run 1', 'run 2']);
  });

  test('keeps commands, lines, and failures without a line apart', () => {
    const failures = [
      differs('completion of the workflow', 'starts timer of 1 s', [WAIT]),
      differs('completion of the workflow', 'starts timer of 1 s', [TIMER, WAIT]),
      differs('completion of the workflow', 'does nothing more after it starts timer of 1 s', [
        WAIT,
      ]),
      differs('acceptance of update `claimLead`', 'rejects update `claimLead`', []),
      differs('acceptance of update `handOverLead`', 'rejects update `handOverLead`', []),
      { text: 'event 3: in this workflow task the code throws TypeError: no', at: [WAIT] },
      { text: 'event 3: in this workflow task the code throws RangeError: no', at: [WAIT] },
    ];
    expect(groupsOf(failures)).toHaveLength(failures.length);
  });

  test('names three of the other runs, or as many as it is asked to', () => {
    const failures = Array.from({ length: 9 }, () => differs('an event', 'ends', [WAIT]));
    expect(groupsOf(failures)[0]?.slice(-2)).toEqual(['run 3', '…']);
    expect(groupsOf(failures, Infinity)[0]?.slice(-8)).toEqual(
      failures.slice(1).map((_, index) => `run ${index + 1}`),
    );
  });
});
