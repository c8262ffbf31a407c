import { asOfType, insertBefore, readEvents, toJson } from './edit-history.ts';
import { outcomesOf } from './outcomes.ts';

const planted = new URL('../dev/replay/planted/changed-workflows.ts', import.meta.url);

const READ = 'markerRecorded readDncrCache';
const ASK = 'activityTaskScheduled askDncrRegistry';
const UPSERT = 'upsertWorkflowSearchAttributes';
const STORE = 'markerRecorded storeDncrAnswers';
const END = 'workflowExecutionCompleted';
const OTHER = 'other than this local activity';

/** What is planted in a check of two numbers, the event that differs first, and what the code does there. */
const OF_CHECKS: readonly [name: string, eventId: number | null, history: string, code: string][] =
  [
    ['StartsATimerFirst', 5, READ, OTHER],
    ['WritesNoSearchAttributes', 6, UPSERT, 'Activity'],
    ['SchedulesAnotherActivity', 7, ASK, "activity command 'planted'"],
    ['RunsOneMoreLocalActivity', 13, STORE, "local activity command 'planted'"],
    ['CompletesEarly', 7, ASK, 'Complete workflow'],
    ['WritesSearchAttributesLast', 14, END, 'UpsertWorkflowSearchAttributes'],
    ['ThrowsAnError', null, '', 'throws: planted "error"'],
    ['Loops', null, '', 'throws: Script execution timed out after 5000ms'],
  ];

const histories = {
  ...Object.fromEntries(OF_CHECKS.map(([name]) => [name, asOfType('dncr-check-answered', name)])),
  Unknown: asOfType('dncr-check-answered', 'Unknown'),
  RoutesAgain: asOfType('assigned', 'RoutesAgain'),
  KnowsNoUpdate: asOfType('pool-then-claimed', 'KnowsNoUpdate'),
  CancelsTheTimer: asOfType('assigned', 'CancelsTheTimer'),
  'a patch': withPatch({ id: 'planted-patch', deprecated: false }),
  'a deprecated patch': withPatch({ id: 'planted-patch', deprecated: true }),
};
const outcomes = await outcomesOf(histories, planted);

/** A check whose run began with a patch. */
function withPatch(patch: { id: string; deprecated: boolean }): string {
  const payload = (value: unknown) => ({
    metadata: { encoding: btoa('json/plain') },
    data: btoa(JSON.stringify(value)),
  });
  const markerRecordedEventAttributes = {
    markerName: 'core_patch',
    details: { 'patch-data': { payloads: [payload(patch)] } },
  };
  const upsertWorkflowSearchAttributesEventAttributes = {
    searchAttributes: { indexedFields: { TemporalChangeVersion: payload([patch.id]) } },
  };
  const inserted = [
    { eventType: 'EVENT_TYPE_MARKER_RECORDED', markerRecordedEventAttributes },
    {
      eventType: 'EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES',
      upsertWorkflowSearchAttributesEventAttributes,
    },
  ];
  return toJson(insertBefore(5, inserted, readEvents('dncr-check-answered')));
}

const differenceOf = (name: string) => outcomes.get(name)?.difference;

describe('code that does not fit a history', () => {
  test.each(OF_CHECKS)('%s: the first event that differs', (name, eventId, history, code) => {
    expect(outcomes.get(name)).toEqual({
      name,
      type: name,
      difference: { eventId, history, code },
    });
  });

  test('an activity in place of a timer, which is named by its summary', () => {
    const history = 'timerStarted end of the merge window';
    expect(differenceOf('RoutesAgain')).toEqual({ eventId: 13, history, code: 'Activity' });
  });

  test('an update without a handler', () => {
    const history = 'workflowExecutionUpdateAccepted';
    expect(differenceOf('KnowsNoUpdate')).toEqual({ eventId: 17, history, code: 'No command' });
  });

  test('a cancelled timer', () => {
    const history = 'markerRecorded readLead';
    expect(differenceOf('CancelsTheTimer')).toEqual({ eventId: 18, history, code: OTHER });
  });

  test('a patch that was taken out, but not one that was deprecated before', () => {
    expect(differenceOf('a patch')).toMatchObject({ code: expect.stringMatching(/planted-patch/) });
    expect(differenceOf('a deprecated patch')).toBeNull();
  });

  test('a workflow that there is not', () => {
    expect(differenceOf('Unknown')?.code).toMatch(/'Unknown': no such function is exported/);
  });
});
