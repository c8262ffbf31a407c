import fc from 'fast-check';
import {
  decideTransition,
  newAssignment,
  type Transition,
} from '../../../domain/assignment/transitions.ts';
import type {
  AssignmentCause,
  AssignmentState,
} from '../../../domain/assignment/assignment-cause.ts';
import type { AgentView } from '../../../domain/webhooks/event-payloads.ts';

const agent = fc.constantFrom('sara', 'omar').map((id) => ({ id }) as AgentView);
const toAgent = { agent, followUpMs: fc.constantFrom(0, 60_000) };
const of = <Kind extends AssignmentCause['kind']>(kind: Kind) => fc.constant(kind);
const why = fc.constant(['a rule said so']);
const poolId = fc.constantFrom('north', 'south');

const event: fc.Arbitrary<AssignmentCause> = fc.oneof(
  fc.record({ kind: of('routed_to_agent'), why, ...toAgent }),
  fc.record({ kind: of('routed_to_pool'), why, poolId }),
  fc.record({ kind: of('left_unassigned'), why }),
  fc.record({ kind: of('new_details') }),
  fc.record({ kind: of('follow_up_expired'), why: fc.constant({ kind: 'note_only' } as const) }),
  fc.record({ kind: of('follow_up_reassigned'), why, ...toAgent }),
  fc.record({ kind: of('follow_up_pooled'), poolId }),
  fc.record({ kind: of('claimed'), ...toAgent }),
  fc.record({ kind: of('operator_assigned'), why, movesPersonal: fc.boolean(), ...toAgent }),
  fc.record({ kind: of('operator_pooled'), why: fc.constantFrom([], ['a rule said so']), poolId }),
  fc.record({ kind: of('operator_unassigned'), why }),
  fc.record({
    kind: of('enquired'),
    enquiry: fc.record({
      source: fc.constant(null),
      matchedOn: fc.constantFrom('phone', 'email'),
      hasMessage: fc.boolean(),
      assignedTo: fc.constant(null),
    }),
  }),
  fc.record({
    kind: of('responded'),
    recordedBy: fc.constant('a client'),
    seconds: fc.nat(),
    holder: fc.constant(null),
  }),
);
const isOperators = (kind: string) => kind.startsWith('operator_');
const createdBy = fc.constant('a client');
const creation: fc.Arbitrary<AssignmentCause> = fc.oneof(
  fc.record({ kind: of('created'), createdBy }),
  fc.record({
    kind: of('created_with_owner'),
    createdBy,
    ...toAgent,
    decidedBy: fc.constantFrom('listing' as const, 'assigned_by' as const),
  }),
);

interface Step {
  before: AssignmentState;
  event: AssignmentCause;
  transition: Transition;
  after: AssignmentState;
  holder: string | null;
  previousHolder: string | null;
}

/** The transitions that a sequence of events makes; an event that the state does not take changes nothing. */
function stepsOf(events: readonly AssignmentCause[], isPersonal: boolean): Step[] {
  const steps: Step[] = [];
  let before = newAssignment({ isPersonal });
  let previousHolder: string | null = null;
  for (const each of events) {
    const transition = decideTransition(before, each);
    if (!transition) continue;
    const holder: string | null = holderAfter(transition, previousHolder);
    const after = stateAfter(before, each, transition);
    steps.push({ before, event: each, transition, after, holder, previousHolder });
    before = after;
    previousHolder = holder;
  }
  return steps;
}

function holderAfter({ holder }: Transition, previous: string | null): string | null {
  if (holder.kind === 'unchanged') return previous;
  return holder.kind === 'agent' ? holder.agent.id : null;
}

function stateAfter(
  before: AssignmentState,
  { kind }: AssignmentCause,
  { status, round, moves, clock, holder }: Transition,
): AssignmentState {
  return {
    ...before,
    ...(holder.kind !== 'unchanged' && { poolId: holder.kind === 'pool' ? holder.poolId : null }),
    status,
    round,
    moves,
    isResponded: before.isResponded || kind === 'responded',
    isClockRunning: clock.kind === 'keep' ? before.isClockRunning : clock.kind === 'start',
  };
}

/** Checks what holds at every step of every sequence. */
function always(holds: (step: Step, index: number) => void): void {
  const life = fc.record({
    first: creation,
    later: fc.array(event, { maxLength: 30 }),
    wantsPersonal: fc.boolean(),
  });
  fc.assert(
    fc.property(life, ({ first, later, wantsPersonal }) => {
      const isPersonal = wantsPersonal && first.kind === 'created_with_owner';
      stepsOf([first, ...later], isPersonal).forEach(holds);
    }),
    { numRuns: 500 },
  );
}

describe('in every sequence of events', () => {
  it('an agent holds the lead just while it is assigned', () => {
    always(({ after, holder }) => expect(holder !== null).toBe(after.status === 'assigned'));
  });

  it('the lead lies in a pool just while its status says so', () => {
    let poolNow: string | null = null;
    always(({ transition: { holder }, after }, index) => {
      if (index === 0) poolNow = null;
      if (holder.kind !== 'unchanged') poolNow = holder.kind === 'pool' ? holder.poolId : null;
      expect(poolNow !== null).toBe(after.status === 'pool');
    });
  });

  it('rounds begin at 1, never fall and grow by new details and operators alone', () => {
    always(({ before, after, event: { kind } }, index) => {
      if (index === 0) expect(after.round).toBe(1);
      else if (kind === 'new_details') expect(after.round - before.round).toBeLessThanOrEqual(1);
      else if (isOperators(kind)) expect(after.round).toBe(before.round + 1);
      else expect(after.round).toBe(before.round);
      expect(after.round).toBeGreaterThanOrEqual(before.round);
    });
  });

  it('moves count from 0 in every round, one for each change of hands after its first', () => {
    always(({ before, after, transition }) => {
      const isNewRound = after.round > before.round || before.status === 'pending';
      if (isNewRound) expect(after.moves).toBe(0);
      else expect(after.moves - before.moves).toBe(transition.history ? 1 : 0);
    });
  });

  it('each round and move has one entry of history, kept in order', () => {
    let kept: string[] = [];
    always(({ after, transition }, index) => {
      if (index === 0) kept = [];
      if (!transition.history) return;
      const key = `${after.round}.${after.moves}`;
      expect(kept).not.toContain(key);
      kept.push(key);
    });
  });

  it('the clock runs only for an agent who has not responded to a lead that is not Personal', () => {
    always(({ after }) => {
      if (!after.isClockRunning) return;
      expect(after).toMatchObject({ status: 'assigned', isPersonal: false, isResponded: false });
    });
  });

  it('a Personal lead keeps its owner, unless an operator says so and names another', () => {
    always(({ before, holder }, index) => {
      if (!before.isPersonal || index === 0) return;
      expect(holder).not.toBeNull();
    });
    always(({ before, transition, event: each }, index) => {
      if (!before.isPersonal || index === 0) return;
      const isMoved = each.kind === 'operator_assigned' && each.movesPersonal;
      expect(transition.holder.kind).toBe(isMoved ? 'agent' : 'unchanged');
    });
  });

  it('lead.created comes once and first, lead.assigned just when an agent takes the lead', () => {
    always(({ transition: { webhookEvents, holder } }, index) => {
      expect(webhookEvents.includes('lead.created')).toBe(index === 0);
      expect(webhookEvents.includes('lead.assigned')).toBe(holder.kind === 'agent');
    });
  });

  it('each new outcome without an agent has its event, and each response', () => {
    always(({ before, event: { kind }, transition: { webhookEvents, holder, status } }) => {
      const isPooled = holder.kind === 'pool' && holder.poolId !== before.poolId;
      expect(webhookEvents.includes('lead.pooled')).toBe(isPooled);
      const isLeft = kind === 'left_unassigned' || kind === 'operator_unassigned';
      const isNew = isLeft && before.status !== 'unassigned';
      expect(webhookEvents.includes('lead.unassigned')).toBe(isNew);
      if (isLeft) expect(status).toBe('unassigned');
      expect(webhookEvents.includes('lead.responded')).toBe(kind === 'responded');
      expect(webhookEvents.includes('lead.enquired')).toBe(kind === 'enquired');
    });
  });

  it('new details never take a lead from its agent and send every other one back to routing', () => {
    always(({ before, after, event: { kind }, transition }) => {
      if (kind !== 'new_details') return;
      const isHeld = before.status === 'assigned';
      expect(after.status).toBe(isHeld ? 'assigned' : 'pending');
      if (isHeld)
        expect(transition).toMatchObject({ round: before.round, clock: { kind: 'keep' } });
    });
  });

  it('another enquiry moves neither the owner nor the state, the round nor the clock', () => {
    always(({ before, after, event: { kind }, transition: { holder } }) => {
      if (kind !== 'enquired') return;
      expect(after).toEqual(before);
      expect(holder.kind).toBe('unchanged');
    });
  });

  it('every note names what happened, and no text is empty', () => {
    always(({ transition: { note, history } }) => {
      if (note) expect(note.text).toMatch(/^\S.*\.$/);
      if (history) expect(history.reason).toMatch(/^\S.*\.$/);
    });
  });
});
