import { readHistory } from '../../../dev/replay/read-history.ts';
import { readEvents, toJson } from '../../replay/edit-history.ts';

const events = readEvents('assigned');
const whole = toJson(events);
const [first, ...others] = events;

const UNREADABLE: readonly [what: string, json: string, text: string][] = [
  ['an empty file', '', 'is not the JSON of a history, or is cut off'],
  ['half a file', whole.slice(0, whole.length / 2), 'is not the JSON of a history, or is cut off'],
  ['another text', 'a {text}', 'is not the JSON of a history, or is cut off'],
  ['another JSON', '[{}]', 'is not a history: it has no "events"'],
  ['no events', '{"events":[]}', 'is not a history: event 1 does not start a workflow'],
  ['other events', '{"events":[{"id":1}]}', 'is not the JSON of a history, or is cut off'],
  ['the end of a history', toJson(events.slice(4)), 'is cut off: event 1 is missing'],
  ['a gap', toJson(events.toSpliced(6, 1)), 'is cut off: event 7 is missing'],
  [
    'a start without a type',
    toJson([{ ...first, workflowExecutionStartedEventAttributes: {} } as never, ...others]),
    'is not a history: event 1 does not start a workflow',
  ],
];

describe('a history is read', () => {
  test('with the type and the id of its workflow', () => {
    expect(readHistory(whole)).toMatchObject({
      type: 'LeadLifecycle',
      workflowId: expect.stringMatching(/^lead\//),
    });
  });

  test.each(UNREADABLE)('or refused: %s', (_, json, text) => {
    expect(() => readHistory(json)).toThrow(text);
  });
});
