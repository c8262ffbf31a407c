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

const held = change(0, { agentId: 'sara' });
const taken = change(1, { takenFrom: ['sara'] });
const passedOn = change(1, { takenFrom: ['sara'], agentId: 'omar' });
const dueInTen = { ...passedOn, dueAt: at(11) };

test.each([
  ['nobody, of a lead that no operator moved', [held], 60, []],
  ['from whom it was taken, however long nobody holds it', [held, taken, change(9)], 59, ['sara']],
  [
    'each from whom it was taken',
    [passedOn, change(2, { takenFrom: ['omar'] })],
    59,
    ['omar', 'sara'],
  ],
  [
    'the same, while another holds it for less than a follow-up',
    [dueInTen, change(10)],
    59,
    ['sara'],
  ],
  ['nobody, once somebody else held it for a follow-up', [dueInTen, change(11)], 59, []],
  ['nobody, once an operator lifts it', [taken, change(2, { liftsAll: true })], 3, []],
  ['nobody, once it is held so', [passedOn], 16, []],
  ['the same a minute before', [passedOn], 15, ['sara']],
  [
    'nobody to whom an operator gave it',
    [taken, change(2, { agentId: 'sara', isNamed: true }), change(3)],
    59,
    [],
  ],
  [
    'the same, where the rules gave it back before',
    [taken, change(2, { agentId: 'sara', dueAt: at(50) }), change(3)],
    59,
    ['sara'],
  ],
])('rules leave out %s', (_what, changes, minute, excluded) => {
  expect(takenAt(minute, changes)).toEqual(excluded);
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
