import { readFileSync } from 'node:fs';
import { asOfType, insertBefore, readEvents, toJson } from '../../replay/edit-history.ts';
import { outcomesOf } from '../../replay/outcomes.ts';

const planted = new URL('./planted/changed-workflows.ts', import.meta.url);
const source = readFileSync(planted, 'utf8').split('\n');

/** Where the text stands first in a planted function. */
function lineOf(name: string, text: string): string {
  const start = source.findIndex((line) => line.startsWith(`export async function ${name}(`));
  const line = source.findIndex((each, index) => index > start && each.includes(text));
  return `test/dev/replay/planted/changed-workflows.ts:${line + 1} (${name})`;
}

const READ = "local activity `readDncrCache` ('read the cache')";
const ASK = "activity `askDncrRegistry` ('ask the registry for 2 numbers')";
const UPSERT = 'search attributes `OAuthClientId`';
const STORE = "local activity `storeDncrAnswers` ('store the answers')";

/** What is planted in a check of two numbers, what is said of it, and the code at the line that is named. */
const DIFFERENCES: readonly [name: string, text: string, code: string][] = [
  [
    'StartsATimerFirst',
    `event 5: ${READ} in the history, the code starts timer 'planted timer'`,
    'sleep',
  ],
  [
    'RunsAnotherLocalActivity',
    `event 5: ${READ} in the history, the code runs local activity \`planted\` ('planted')`,
    'local.planted',
  ],
  [
    'SchedulesAnActivityForALocalOne',
    `event 5: ${READ} in the history, the code schedules activity \`readDncrCache\` ('planted')`,
    'activities.readDncrCache',
  ],
  [
    'RunsALocalActivityForAnOrdinaryOne',
    `event 7: ${ASK} in the history, the code runs local activity \`askDncrRegistry\` ('planted')`,
    'local.askDncrRegistry',
  ],
  [
    'WritesNoSearchAttributes',
    `event 6: ${UPSERT} in the history, the code does without and schedules activity \`askDncrRegistry\` ('planted'), which is event 7`,
    'activities.askDncrRegistry',
  ],
  [
    'WritesSearchAttributesLater',
    `event 6: ${UPSERT} in the history, the code schedules activity \`askDncrRegistry\` ('planted') first, which is event 7`,
    'activities.askDncrRegistry',
  ],
  [
    'StartsATimerBeforeTheActivity',
    `event 7: ${ASK} in the history, the code starts timer of 1 s before, which the history does not hold`,
    'sleep',
  ],
  [
    'SchedulesAnotherActivity',
    `event 7: ${ASK} in the history, the code schedules activity \`planted\` ('planted')`,
    'activities.planted',
  ],
  [
    'SchedulesOneMoreActivity',
    `after event 7: nothing more of this task in the history, the code schedules activity \`planted\` ('planted')`,
    'activities.planted',
  ],
  [
    'RunsOneMoreLocalActivity',
    `event 13: ${STORE} in the history, the code runs local activity \`planted\` ('planted')`,
    'local.planted',
  ],
  ['CompletesEarly', `event 7: ${ASK} in the history, the code completes the workflow`, 'return'],
  ['FailsEarly', `event 7: ${ASK} in the history, the code fails the workflow`, 'throw'],
  ['ContinuesAsNew', `event 7: ${ASK} in the history, the code continues as new`, 'continueAsNew'],
  [
    'ThrowsAnError',
    'event 3: in this workflow task the code throws TypeError: planted "error"',
    'throw',
  ],
  [
    'RunsALocalActivityLast',
    "event 14: completion of the workflow in the history, the code runs local activity `planted` ('planted')",
    'local.planted',
  ],
];

const UPSERT_LAST = `event 14: completion of the workflow in the history, the code writes ${UPSERT} before, which the history does not hold`;
const TIMER = "timer 'end of the merge window'";

const ofChecks = [
  ...DIFFERENCES.map(([name]) => name),
  'WritesSearchAttributesLast',
  'WaitsForever',
  'NeverCompletes',
  'Unknown',
];
const histories = {
  ...Object.fromEntries(ofChecks.map((name) => [name, asOfType('dncr-check-answered', name)])),
  RoutesAgain: asOfType('assigned', 'RoutesAgain'),
  KnowsNoUpdate: asOfType('pool-then-claimed', 'KnowsNoUpdate'),
  CancelsTheTimer: asOfType('assigned', 'CancelsTheTimer'),
  'a patch': withPatch({ id: 'planted-patch', deprecated: false }),
  'a deprecated patch': withPatch({ id: 'planted-patch', deprecated: true }),
};
const outcomes = await outcomesOf(histories, { workflows: planted });

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

const failureOf = (name: string) => outcomes.get(name)?.failure;

describe('code that does not fit a history', () => {
  test.each(DIFFERENCES)('%s: what it does, and its line', (name, text, code) => {
    const failure = failureOf(name);
    expect(failure).toMatchObject({ text, at: [lineOf(name, code)] });
    expect(text).toContain(failure?.command ?? 'the code throws');
  });

  test('an activity in place of a timer', () => {
    const text = `event 13: ${TIMER} in the history, the code schedules activity \`routeLead\` ('planted')`;
    const at = lineOf('RoutesAgain', 'await activities.routeLead(); // again');
    expect(failureOf('RoutesAgain')).toMatchObject({ text, at: [at] });
  });

  test('an update without a handler', () => {
    const text =
      'event 17: acceptance of update `claimLead` in the history, the code rejects update `claimLead`';
    expect(failureOf('KnowsNoUpdate')).toMatchObject({ text, at: [] });
  });

  test('a cancelled timer is named with the line that started it', () => {
    const text =
      "event 18: local activity `readLead` ('refresh: responded') in the history, the code cancels timer 'planted timer'";
    expect(failureOf('CancelsTheTimer')).toMatchObject({
      text,
      at: [lineOf('CancelsTheTimer', 'sleep')],
    });
  });

  test('a patch that was taken out, but not one that was deprecated before', () => {
    expect(failureOf('a patch')?.text).toBe(
      `event 5: marker of patch \`planted-patch\` in the history, the code does without and runs ${READ}, which is event 7`,
    );
    expect(failureOf('a deprecated patch')).toBeNull();
  });

  test('a command in a function is named with the line that calls it', () => {
    const name = 'WritesSearchAttributesLast';
    const at = [expect.stringMatching(/:\d+ \(upsert\)$/), lineOf(name, 'upsert()')];
    expect(failureOf(name)).toMatchObject({ text: UPSERT_LAST, at });
  });

  test('code that does nothing more is named by what it did last', () => {
    const last = `the code does nothing more after it runs ${STORE}`;
    expect(failureOf('NeverCompletes')).toMatchObject({
      text: `event 14: completion of the workflow in the history, ${last}`,
      at: [
        expect.stringMatching(/^workflows\/dncr-check\.ts:\d+ \(DncrCheck\)$/),
        lineOf('NeverCompletes', 'DncrCheck(input)'),
      ],
    });
    expect(failureOf('WaitsForever')?.text).toBe(
      `event 7: ${ASK} in the history, the code does nothing more after it writes ${UPSERT}`,
    );
  });

  test('a workflow that there is not', () => {
    expect(failureOf('Unknown')?.text).toBe('the code has no workflow type `Unknown`');
  });

  test('each outcome has the type and the id of the run', () => {
    const runId = expect.stringMatching(/^[\da-f-]{36}$/);
    expect(outcomes.get('RoutesAgain')).toMatchObject({ type: 'RoutesAgain', runId });
    expect(outcomes.get('a deprecated patch')).toMatchObject({ type: 'DncrCheck', runId });
  });
});
