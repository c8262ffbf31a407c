import { readFile } from 'node:fs/promises';
import { noteText, reasonOf } from '../../../domain/leads/timeline-notes.ts';
import {
  decideTransition,
  newAssignment,
  requireTransition,
  TRANSITIONS,
} from '../../../domain/assignment/transitions.ts';
import type { AssignmentCause } from '../../../domain/assignment/assignment-cause.ts';
import { leadEventTypes, type AgentView } from '../../../domain/webhooks/event-payloads.ts';
import {
  decideExpiry,
  followUpAfterClaim,
  startsFollowUp,
} from '../../../domain/routing/follow-up.ts';
import { DEFAULTS, makeRule } from '../routing/make.ts';

const HEADING = '## Assignment: states and transitions';

/** The rows of the table under the heading of docs/architecture.md. */
async function documentedRows(): Promise<string[][]> {
  const url = new URL('../../../docs/architecture.md', import.meta.url);
  const [, section = ''] = (await readFile(url, 'utf8')).split(HEADING);
  const [text = ''] = section.split('\n## ');
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

test('docs/architecture.md prints the table of transitions', async () => {
  const rows = TRANSITIONS.map((row) => [
    row.from,
    row.cause,
    row.to,
    row.round,
    row.move,
    row.clock,
    row.decidedBy ?? '—',
    row.webhookEvents.join(', ') || '—',
    row.note ?? '—',
  ]);
  expect(await documentedRows()).toEqual(rows);
});

test('a state and a cause have at most one transition', () => {
  const keys = TRANSITIONS.map(({ from, cause }) => `${from} ${cause}`);
  expect(new Set(keys).size).toBe(keys.length);
});

test('each webhook event of a lead is one of a transition', () => {
  const written = new Set(TRANSITIONS.flatMap(({ webhookEvents }) => webhookEvents));
  expect([...written].toSorted()).toEqual(leadEventTypes.toSorted());
});

const sara = { id: 'sara' } as AgentView;
const claimed: AssignmentCause = { kind: 'claimed', agent: sara, followUpMs: 60_000 };
const inPool = { ...newAssignment({ isPersonal: false }), status: 'pool', round: 2 } as const;

describe('a claim', () => {
  it('moves a lead from its pool to the agent, within the round', () => {
    expect(requireTransition(inPool, claimed)).toEqual({
      cause: claimed,
      status: 'assigned',
      round: 2,
      moves: 1,
      holder: { kind: 'agent', agent: sara },
      clock: { kind: 'start', followUpMs: 60_000 },
      webhookEvents: ['lead.assigned'],
      note: { kind: 'assigned', text: 'Claimed from the pool by agent sara.' },
      history: {
        status: 'assigned',
        round: 2,
        move: 1,
        decidedBy: 'claim',
        reason: 'Claimed from the pool by agent sara.',
      },
    });
  });

  it.each(['new', 'pending', 'assigned', 'unassigned'] as const)(
    'of a lead that is %s is not allowed',
    (status) => {
      expect(decideTransition({ ...inPool, status }, claimed)).toBeNull();
      expect(() => requireTransition({ ...inPool, status }, claimed)).toThrow(status);
    },
  );

  it('takes the minutes of the rule that filled the pool, else the configured ones, and tries nobody else', () => {
    const terms = { onExpiry: 'note', maxMoves: 0, poolId: null };
    const rule = makeRule({ followUp: { minutes: 5, onExpiry: 'reassign' } });
    expect(followUpAfterClaim(rule, DEFAULTS)).toEqual({ minutes: 5, ...terms });
    expect(followUpAfterClaim(null, DEFAULTS)).toEqual({ minutes: 15, ...terms });
  });
});

describe('an operator', () => {
  const assigned = { kind: 'operator_assigned', why: [], agent: sara, followUpMs: 60_000 } as const;
  const event = { ...assigned, movesPersonal: false };
  const personal = { ...inPool, status: 'assigned', isPersonal: true } as const;

  it.each(['pending', 'assigned', 'pool', 'unassigned'] as const)(
    'takes a lead that is %s, in a new round',
    (status) => {
      const before = { ...inPool, status, moves: 2 };
      const round = { round: 3, moves: 0 };
      expect(requireTransition(before, event)).toMatchObject({
        ...round,
        status: 'assigned',
        webhookEvents: ['lead.assigned'],
        holder: { kind: 'agent', agent: sara },
        history: { decidedBy: 'operator', reason: 'Assigned by an operator to agent sara.' },
      });
      expect(requireTransition(before, { kind: 'operator_unassigned', why: [] })).toMatchObject({
        ...round,
        status: 'unassigned',
        clock: { kind: 'stop' },
        webhookEvents: status === 'unassigned' ? [] : ['lead.unassigned'],
      });
    },
  );

  it('moves a Personal lead only to an agent and only where asked to', () => {
    expect(decideTransition(personal, event)).toBeNull();
    const pooled = { kind: 'operator_pooled', why: [], poolId: 'north' } as const;
    expect(decideTransition(personal, pooled)).toBeNull();
    expect(decideTransition(personal, { kind: 'new_details' })).not.toBeNull();
    expect(decideTransition(personal, { ...event, movesPersonal: true })).toMatchObject({
      status: 'assigned',
      clock: { kind: 'stop' },
    });
  });
});

describe('every transition', () => {
  const holds = { ...inPool, status: 'assigned', moves: 2 } as const;

  it('begins with round 1, and with the owner whom the request names', () => {
    const lead = newAssignment({ isPersonal: false });
    const states = { isPersonal: false, isResponded: false, isClockRunning: false };
    expect(lead).toEqual({ status: 'new', round: 0, moves: 0, ...states });
    const created = { kind: 'created', createdBy: 'a client' } as const;
    expect(requireTransition(lead, created)).toMatchObject({
      round: 1,
      holder: { kind: 'nobody' },
      history: null,
    });
    const owned = { ...created, kind: 'created_with_owner', agent: sara, followUpMs: 1 } as const;
    expect(requireTransition(lead, { ...owned, decidedBy: 'listing' })).toMatchObject({
      clock: { kind: 'start' },
      history: { status: 'assigned', round: 1, move: 0, decidedBy: 'listing' },
    });
  });

  it('into a pool is an event unless the lead is there already', () => {
    const pooled = { kind: 'operator_pooled', why: [], poolId: 'north' } as const;
    const transition = requireTransition({ ...inPool, poolId: 'south' }, pooled);
    expect(transition).toMatchObject({
      holder: { kind: 'pool', poolId: 'north' },
      webhookEvents: ['lead.pooled'],
    });
    const there = { ...inPool, poolId: 'north' };
    expect(requireTransition(there, pooled).webhookEvents).toEqual([]);
    const left = requireTransition(there, { kind: 'operator_unassigned', why: [] });
    expect(left).toMatchObject({ holder: { kind: 'nobody' }, webhookEvents: ['lead.unassigned'] });
  });

  it('by new details takes a lead from its pool, and never from its agent', () => {
    const kept = { round: 2, moves: 2, clock: { kind: 'keep' }, history: null, note: null };
    const holder = { kind: 'unchanged' };
    expect(requireTransition(holds, { kind: 'new_details' })).toMatchObject({ ...kept, holder });
    expect(requireTransition(inPool, { kind: 'new_details' })).toMatchObject({
      status: 'pending',
      round: 3,
      holder: { kind: 'nobody' },
    });
  });

  it('that begins a wait ends an assignment in the history', () => {
    const waiting = { kind: 'operator_waiting', why: [] } as const;
    const end = { status: 'unassigned', round: 2, move: 3, decidedBy: 'operator' };
    expect(requireTransition(holds, waiting)).toMatchObject({ round: 3, moves: 0, history: end });
    expect(requireTransition(inPool, waiting).history).toBeNull();
  });

  it('to the next agent needs a lead without a response that is not Personal', () => {
    const next = { kind: 'follow_up_reassigned', why: [], agent: sara, followUpMs: 1 } as const;
    expect(decideTransition(holds, next)).toMatchObject({ round: 2, moves: 3 });
    expect(decideTransition({ ...holds, isPersonal: true }, next)).toBeNull();
    expect(decideTransition({ ...holds, isResponded: true }, next)).toBeNull();
  });
});

describe('the follow-up', () => {
  it('starts unless the lead is Personal, has a response or the rule gives it no time', () => {
    const lead = { isPersonal: false, isResponded: false };
    expect(startsFollowUp(lead, 1)).toBe(true);
    expect(startsFollowUp({ ...lead, isPersonal: true }, 1)).toBe(false);
    expect(startsFollowUp({ ...lead, isResponded: true }, 1)).toBe(false);
    expect(startsFollowUp(lead, 0)).toBe(false);
  });

  it.each(['follow_up_pooled', 'follow_up_expired'] as const)(
    'makes no %s without a running clock',
    (kind) => {
      const event = { kind, poolId: 'north', why: { kind: 'note_only' } } as AssignmentCause;
      const state = { ...inPool, status: 'assigned' } as const;
      expect(decideTransition(state, event)).toBeNull();
      expect(decideTransition({ ...state, isClockRunning: true }, event)).not.toBeNull();
    },
  );

  const terms = { minutes: 15, maxMoves: 2, poolId: 'north' };
  it('expires into a note, the next agent or a pool, as the rule says', () => {
    const noteOnly = expired({ kind: 'note_only' });
    expect(decideExpiry(null, 0)).toEqual(noteOnly);
    expect(decideExpiry({ ...terms, onExpiry: 'note' }, 0)).toEqual(noteOnly);
    expect(decideExpiry({ ...terms, onExpiry: 'reassign' }, 1)).toBe('reassign');
    const pool = { ...terms, onExpiry: 'pool' } as const;
    expect(decideExpiry(pool, 0)).toEqual({ kind: 'follow_up_pooled', poolId: 'north' });
  });

  it('keeps the owner after the moves of the rule, or where the rule names no pool', () => {
    const movesUsedUp = expired({ kind: 'moves_used_up', moves: 2 });
    expect(decideExpiry({ ...terms, onExpiry: 'reassign' }, 2)).toEqual(movesUsedUp);
    const noPool = { ...terms, onExpiry: 'pool', poolId: null } as const;
    expect(decideExpiry(noPool, 0)).toEqual(expired({ kind: 'no_pool' }));
  });
});

type Expired = Extract<AssignmentCause, { kind: 'follow_up_expired' }>;
const expired = (why: Expired['why']): Expired => ({ kind: 'follow_up_expired', why });

const texts: [string, AssignmentCause][] = [
  ['Created by a client.', { kind: 'created', createdBy: 'a client' }],
  ['New details arrived.', { kind: 'new_details' }],
  ['Rule one. Rule two.', { kind: 'left_unassigned', why: ['Rule one', 'Rule two'] }],
  ['No response in time.', expired({ kind: 'note_only' })],
  ['No response in time; the rule names no pool.', expired({ kind: 'no_pool' })],
  ['No response in time; after 1 move it stays.', expired({ kind: 'moves_used_up', moves: 1 })],
  ['No response in time; after 2 moves it stays.', expired({ kind: 'moves_used_up', moves: 2 })],
  [
    'No response in time and nobody else can take over yet. All paused.',
    expired({ kind: 'nobody_else', lines: ['All paused'] }),
  ],
  [
    'No response in time: left in the pool that the rule names.',
    { kind: 'follow_up_pooled', poolId: 'north' },
  ],
  ['Put into a pool by an operator.', { kind: 'operator_pooled', why: [], poolId: 'north' }],
  [
    'Sent back to the rules by an operator. Rule one left it in a pool.',
    { kind: 'operator_pooled', why: ['Rule one left it in a pool'], poolId: 'north' },
  ],
  [
    'Taken back by an operator: it is in its pool again.',
    { kind: 'operator_pooled', why: [], poolId: 'north', isUndo: true },
  ],
  [
    'Taken back by an operator: it is unassigned again.',
    { kind: 'operator_unassigned', why: [], isUndo: true },
  ],
  [
    'Taken back by an operator. Rule one waits.',
    { kind: 'operator_waiting', why: ['Rule one waits'], isUndo: true },
  ],
  [
    'a client recorded a response after 60 s.',
    { kind: 'responded', recordedBy: 'a client', seconds: 60, holder: null },
  ],
];
test.each(texts)('the note is: %s', (text, event) => {
  expect(noteText(event)).toBe(text);
});

test('an owner whom the request decides is kept with the reason, beside the note of the creation', () => {
  const owner = { kind: 'created_with_owner', createdBy: 'a client', agent: sara } as const;
  const event = { ...owner, decidedBy: 'listing', followUpMs: 0 } as const;
  expect(noteText(event)).toBe('Created by a client.');
  expect(reasonOf(event)).toBe('The agent of the listing owns the lead.');
  expect(reasonOf({ ...event, decidedBy: 'assigned_by' })).toBe(
    'The request named the agent to own the lead.',
  );
});
