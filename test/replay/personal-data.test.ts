import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { cleanHistory, type HistoryJson } from '../../cli/history/clean-history.ts';
import { names } from '../support/people.ts';
import { findPersonalData } from './find-personal-data.ts';
import { savedHistories } from './saved-histories.ts';

const found = (history: HistoryJson) => findPersonalData(history, names);

/** Results of an activity. */
function historyWith(...results: unknown[]): HistoryJson {
  const payload = (value: unknown) => ({
    metadata: { encoding: 'anNvbi9wbGFpbg==' },
    data: Buffer.from(JSON.stringify(value)).toString('base64'),
  });
  const event = {
    eventId: '8',
    eventType: 'EVENT_TYPE_ACTIVITY_TASK_COMPLETED',
    activityTaskCompletedEventAttributes: { result: { payloads: results.map(payload) } },
  };
  return { events: [event] };
}

describe('histories hold ids only', () => {
  test('no saved history names a person, a phone, an e-mail or a folder', async () => {
    for (const { scenario, json } of await savedHistories())
      expect({ scenario, found: found(JSON.parse(json)) }).toEqual({ scenario, found: [] });
  });

  test('no saved history holds a host, a process or a message', async () => {
    for (const { history, json } of await savedHistories())
      expect(cleanHistory(history)).toEqual(JSON.parse(json));
  });

  test.each([
    ['an e-mail', 'buyer@mail.example'],
    ['an e-mail', 'ask buyer@\u200bmail.example today'],
    ['a phone', '+971501234567'],
    ['a phone', '0501234567'],
    ['a phone', 'call 00971 50 123 4567.'],
    ['a phone', '+44 20 7946 0958'],
    ['a name', `for\n${names[0]?.toUpperCase()}`],
    ['a folder of a machine', 'at /home/noor/lead-intake/worker.ts'],
  ])('%s would be found: %j', (what, text) => {
    expect(found(historyWith({ notes: [text] }))).toEqual([{ eventId: '8', what }]);
  });

  test.each([
    'Attempt 3 of 4: it answered 500; the next attempt comes in 0 s.',
    'evt_21b3f9a7-9688-46d8-8510-050123456789 at 2026-11-22T05:01:23.682353332Z',
    '1795350508515',
    '501234567',
    '@temporalio/worker@1.24.0',
  ])('%j is no personal data', (text) => {
    expect(found(historyWith({ notes: [text] }))).toEqual([]);
  });
});

describe('slugs of agents', () => {
  const assigned = (agentSlug: string, agentId: string) => ({
    agentId,
    agentSlug,
    reasons: [`Rule 'Agent deals' names agent ${agentSlug}.`],
  });
  const clean = (...results: unknown[]) =>
    cleanHistory(historyFromJSON(historyWith(...results)), new Map([['sara-h', 'a1']]));

  test('become ids, also those that the agents have no more', () => {
    const history = clean(assigned('sara-h', 'a1'), assigned('omar', 'a2'));
    expect(history).toEqual(historyWith(assigned('a1', 'a1'), assigned('a2', 'a2')));
  });

  test('stay two where an agent was renamed, which a replay sees', () => {
    const history = clean(assigned('sara', 'a1'), assigned('sara-h', 'a1'));
    expect(history).toEqual(historyWith(assigned('a1-2', 'a1'), assigned('a1', 'a1')));
  });
});
