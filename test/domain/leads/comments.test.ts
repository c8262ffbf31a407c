import fc from 'fast-check';
import { type CommentId, readComments } from '../../../domain/leads/comments.ts';

const one = (sent: object) => readComments([{ text: 'Hi', ...sent }], []).added[0];

test.each([
  ['inbound', ['inbound', 'Incoming', ' IN ', 'INBOUND\u200e']],
  ['outbound', ['outbound', 'outgoing', 'Out']],
  [null, ['sideways', '', null, 7, ['in'], { toString: 1 }]],
])('the direction is %j for each of %j', (direction, sent) => {
  for (const each of sent) expect(one({ direction: each })).toMatchObject({ direction });
});

test.each([
  ['externalId', 7, '7'],
  ['externalId', 'x'.repeat(127), 'x'.repeat(127)],
  ['externalId', ' \u200f7 ', '7'],
  ['externalId', ['7'], null],
  ['text', 'م'.repeat(10_001), 'م'.repeat(10_000)],
  ['author', '😀'.repeat(256), '😀'.repeat(255)],
  ['channel', 'x'.repeat(65), 'x'.repeat(64)],
  ['channel', true, null],
])('%s: %j is stored as %j', (name, sent, stored) => {
  expect(one({ [name]: sent })).toMatchObject({ [name]: stored });
});

test.each([
  ['a numeric date', { text: 'Hi', date: 1_732_788_000 }],
  ['a date of another type', { text: 'Hi', date: { at: 'now' } }],
  ['an unreadable date', { text: 'Hi', date: 'yesterday' }],
  ['no text', { text: ' ' }],
  ['a text of another type', { text: ['Hi'] }],
  ['a string', 'Hi'],
  ['null', null],
  ['a list', ['Hi']],
])('%s skips the comment', (_, sent) => {
  expect(readComments([sent, { text: 'Next' }], [])).toMatchObject({
    added: [{ text: 'Next' }],
    count: { added: 1, skipped: 1 },
  });
});

test('an external id is known per channel', () => {
  const known: CommentId[] = [['chat', '1']];
  const sent = [
    { text: 'known', channel: 'chat', externalId: 1 },
    { text: 'new', channel: 'sms', externalId: '1' },
    { text: 'twice', channel: 'sms', externalId: '1' },
    { text: 'without a channel', externalId: '1' },
  ];
  const { added, count } = readComments(sent, known);
  expect(added.map(({ text }) => text)).toEqual(['new', 'without a channel']);
  expect(count).toEqual({ added: 2, skipped: 2 });
});

test.each<[string, CommentId, object, isKnown: boolean]>([
  ['the case of the channel', ['WhatsApp', '1'], { channel: 'whatsapp' }, true],
  ['blanks around the channel', ['chat ', '1'], { channel: '\u00a0chat' }, true],
  ['blanks around the id', ['chat', ' 1'], { channel: 'chat', externalId: '1\n' }, true],
  ['the case of the id', [null, 'aB'], { externalId: 'ab' }, false],
  ['the beginning of an id', [null, 'x'.repeat(127)], { externalId: 'x'.repeat(128) }, false],
])('%s: %j is the id of %j: %j', (_, known, sent, isKnown) => {
  const { added } = readComments([{ text: 'Hi', externalId: '1', ...sent }], [known]);
  expect(added).toHaveLength(isKnown ? 0 : 1);
});

test('ids of any length stay distinct, and are known once they are stored', () => {
  const id = fc.integer({ min: 120, max: 140 }).map((length) => 'x'.repeat(length));
  const ids = fc.oneof(id, fc.string({ minLength: 1 })).filter((each) => each.trim() === each);
  fc.assert(
    fc.property(fc.uniqueArray(ids, { minLength: 2, maxLength: 5 }), (sent) => {
      const comments = sent.map((externalId) => ({ text: 'Hi', externalId }));
      const { added } = readComments(comments, []);
      expect(added).toHaveLength(sent.length);
      const known = added.map(({ externalId }): CommentId => [null, externalId ?? '']);
      expect(readComments(comments, known).added).toEqual([]);
      for (const [, stored] of known) expect([...stored].length).toBeLessThanOrEqual(128);
    }),
  );
});

test('the message of a merged enquiry is whole, not counted, and added once', () => {
  const message = 'm'.repeat(20_000);
  const { added, count } = readComments(null, [], message);
  expect({ added, count }).toMatchObject({ added: [{ text: message }], count: null });
  const known = added.map(({ channel, externalId }): CommentId => [channel, externalId ?? '']);
  const five = Array.from({ length: 6 }, (_, at) => ({ text: `Line ${at}` }));
  expect(readComments(five, known, message).added).toHaveLength(5);
  expect(readComments(five, [], message)).toMatchObject({ count: { added: 5, skipped: 1 } });
});

test('no value of any type fails, and every comment is added or skipped', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom('inbound', '2026-11-28', 'id'),
  );
  const names = fc.constantFrom('date', 'text', 'author', 'channel', 'direction', 'externalId');
  const comment = fc.oneof(fc.dictionary(names, value), fc.jsonValue());
  fc.assert(
    fc.property(fc.array(comment, { maxLength: 7 }), (sent) => {
      const { added, count } = readComments(sent, []);
      expect(count?.added).toBe(added.length);
      expect((count?.added ?? 0) + (count?.skipped ?? 0)).toBe(sent.length);
    }),
  );
});
