import { refuseHandOver, type HandOver } from '../../../domain/assignment/hand-over.ts';
import { newAssignment } from '../../../domain/assignment/transitions.ts';

const held = {
  ...newAssignment({ isPersonal: false }),
  ...({ status: 'assigned', isClockRunning: true, ownerId: 'sara', poolId: null } as const),
  updatedAt: '2026-03-01T08:00:00+00:00',
};
const toOmar: HandOver = {
  target: { kind: 'agent', agentId: 'omar' },
  releasedAgentId: null,
  onlyWaiting: false,
  movesResponded: false,
  movesPersonal: false,
};
const release = { ...toOmar, releasedAgentId: 'sara' };
const here = { round: held.round, move: held.moves };
const unchanged = { ...here, updatedAt: '2026-03-01T08:00:00.000Z' };
const onlyInPool: HandOver = { ...toOmar, onlyStatuses: ['pool'] };
const toSara: HandOver = { ...toOmar, target: { kind: 'agent', agentId: 'sara' } };
const toPool: HandOver = { ...toOmar, target: { kind: 'pool', poolId: 'north' } };
const toRules: HandOver = { ...toOmar, target: { kind: 'rules' } };
const answered = { ...held, isResponded: true };
const personal = { ...held, isPersonal: true, isClockRunning: false };
const pooled = { ...held, status: 'pool', ownerId: null, poolId: 'north' } as const;

test.each([
  ['to another agent', toOmar, held],
  ['out of a pool', toOmar, pooled],
  ['into another pool', toPool, { ...pooled, poolId: 'south' }],
  ['back through the rules, from a pool', toRules, pooled],
  ['with a response, alone', toOmar, answered],
  ['of who is released', release, held],
  ['of who is released, with a response too', { ...release, movesResponded: true }, answered],
  ['of who is released, though no clock runs', release, { ...held, isClockRunning: false }],
  ['where it still is, of many', onlyInPool, pooled],
  ['back, where nothing has moved it', { ...toOmar, onlyAt: here }, held],
  ['back, where nothing has changed it', { ...toOmar, onlyAt: unchanged }, held],
  ['back, answered as it was before', { ...toOmar, onlyAt: here, movesResponded: true }, answered],
  ['Personal, where asked for', { ...toOmar, movesPersonal: true }, personal],
])('a lead moves %s', (_what, handOver, lead) => {
  expect(refuseHandOver(handOver, lead)).toBeNull();
});

test.each([
  ['there_already', 'with the agent', toSara, held],
  ['there_already', 'in the pool', toPool, pooled],
  ['personal', 'to another agent', toOmar, personal],
  ['personal', 'through the rules', { ...toRules, movesPersonal: true }, personal],
  ['personal', 'into a pool', { ...toPool, movesPersonal: true }, personal],
  ['personal', 'of a release', release, personal],
  ['not_held', 'moved meanwhile', release, { ...held, ownerId: 'ali' }],
  ['not_held', 'in a pool meanwhile', release, pooled],
  ['responded', 'of a release', release, answered],
  ['changed', 'one of many, claimed meanwhile', onlyInPool, held],
  ['changed', 'back from another round', { ...toOmar, onlyAt: { ...here, round: 2 } }, held],
  ['changed', 'back after a move', { ...toOmar, onlyAt: { ...here, move: 1 } }, held],
  [
    'changed',
    'back after new details',
    { ...toOmar, onlyAt: unchanged },
    { ...held, updatedAt: '2026-03-01T08:00:00.001+00:00' },
  ],
  ['responded', 'back after a response', { ...toOmar, onlyAt: here }, answered],
  ['no_clock', 'of one of the waiting only', { ...release, onlyWaiting: true }, personal],
])('a lead stays: %s (%s)', (reason, _what, handOver, lead) => {
  expect(refuseHandOver(handOver, lead)).toBe(reason);
});
