import fc from 'fast-check';
import { findTakenFrom, type HolderChange } from '../../../domain/assignment/hand-over.ts';

const FOLLOW_UP_MS = 15 * 60_000;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 9, minute)).toISOString();

function change(minute: number, over: Partial<HolderChange> = {}): HolderChange {
  return {
    at: at(minute),
    agentId: null,
    isNamed: false,
    dueAt: null,
    takenFrom: [],
    liftsAll: false,
    ...over,
  };
}

const takenAt = (minute: number, changes: readonly HolderChange[]) =>
  findTakenFrom(changes, { now: new Date(at(minute)), followUpMs: FOLLOW_UP_MS });

test.each([
  ['nobody, of a lead that no operator moved', [change(0, { agentId: 'sara' })], 60, []],
  [
    'from whom it was taken, however long nobody holds it',
    [change(0, { agentId: 'sara' }), change(1, { takenFrom: ['sara'] }), change(9)],
    59,
    ['sara'],
  ],
  [
    'each from whom it was taken',
    [change(1, { takenFrom: ['sara'], agentId: 'omar' }), change(2, { takenFrom: ['omar'] })],
    59,
    ['omar', 'sara'],
  ],
  [
    'the same, while somebody else holds it for less than a follow-up',
    [change(1, { takenFrom: ['sara'], agentId: 'omar', dueAt: at(11) }), change(10)],
    59,
    ['sara'],
  ],
  [
    'nobody, once somebody else held it for a follow-up',
    [change(1, { takenFrom: ['sara'], agentId: 'omar', dueAt: at(11) }), change(11)],
    59,
    [],
  ],
  [
    'nobody, once an operator lifts it',
    [change(1, { takenFrom: ['sara'] }), change(2, { liftsAll: true })],
    3,
    [],
  ],
  ['nobody, once it is held so', [change(1, { takenFrom: ['sara'], agentId: 'omar' })], 16, []],
  ['the same a minute before', [change(1, { takenFrom: ['sara'], agentId: 'omar' })], 15, ['sara']],
  [
    'nobody to whom an operator gave it',
    [change(1, { takenFrom: ['sara'] }), change(2, { agentId: 'sara', isNamed: true }), change(3)],
    59,
    [],
  ],
  [
    'the same, where the rules gave it back before',
    [change(1, { takenFrom: ['sara'] }), change(2, { agentId: 'sara', dueAt: at(50) }), change(3)],
    59,
    ['sara'],
  ],
])('rules leave out %s', (_what, changes, minute, taken) => {
  expect(takenAt(minute, changes)).toEqual(taken);
});

test('whoever is taken from last is left out, whatever was before', () => {
  const before = fc.array(
    fc.record({
      agentId: fc.constantFrom('sara', 'omar', null),
      isNamed: fc.boolean(),
      takenFrom: fc.subarray(['sara', 'omar']),
    }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(before, fc.constantFrom('sara', 'omar'), (changes, last) => {
      const all = changes.map((each, index) => change(index, each));
      expect(takenAt(59, [...all, change(58, { takenFrom: [last] })])).toContain(last);
    }),
  );
});
