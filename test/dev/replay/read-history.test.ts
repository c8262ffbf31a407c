import { hasWorkflowTask, readHistory } from '../../../dev/replay/history.ts';
import { readEvents, toJson } from '../../replay/edit-history.ts';

const events = readEvents('assigned');
const whole = toJson(events);
const [first, ...others] = events;

const UNREADABLE: readonly [what: string, json: string, text: string][] = [
  ['an empty file', '', 'is cut off: its JSON has no end'],
  ['half a file', whole.slice(0, whole.length / 2), 'is cut off: its JSON has no end'],
  ['another text', 'a {text}', 'is no JSON'],
  ['another JSON', '[{}]', 'is no history: it has no "events"'],
  ['no events', '{"events":[]}', 'is no history: it has no events'],
  ['other events', '{"events":[{"id":1}]}', 'is no history: its events are not those of Temporal'],
  ['the end of a history', toJson(events.slice(4)), 'is cut off: it begins with event 5'],
  ['a gap', toJson(events.toSpliced(6, 1)), 'is cut off: event 7 is missing'],
  [
    'a start without a type',
    toJson([{ ...first, workflowExecutionStartedEventAttributes: {} } as never, ...others]),
    'is no history: event 1 starts no workflow, or lacks its type or run id',
  ],
  [
    'a workflow task that nothing completes',
    toJson([...events.slice(0, 4), { ...events[7], eventId: '5' } as never]),
    'is no history: event 5 cannot follow a started workflow task',
  ],
];

describe('a history is read', () => {
  test('with the type and the ids of its run', () => {
    expect(readHistory(whole)).toMatchObject({
      type: 'LeadLifecycle',
      workflowId: expect.stringMatching(/^lead\//),
      runId: expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });

  test.each(UNREADABLE)('or refused: %s', (_, json, text) => {
    expect(() => readHistory(json)).toThrow(text);
  });

  test.each([
    [3, false],
    [4, true],
    [5, true],
  ])('up to event %i it has a workflow task to replay: %s', (length, expected) => {
    expect(hasWorkflowTask(readHistory(toJson(events.slice(0, length))))).toBe(expected);
  });
});
