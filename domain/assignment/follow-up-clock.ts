import { assertNever } from '../assert-never.ts';
import type { Defaults, FollowUp } from '../routing/follow-up-terms.ts';
import type { Rule } from '../routing/rules.ts';
import type { AssignmentEvent, KeepOwnerReason } from './assignment-event.ts';

/**
 * Whether the response clock starts with an assignment. `Personal distribution` runs no follow-up clock
 * (distributionType, 4), and a lead with a recorded response needs none.
 */
export function startsFollowUp(
  { isPersonal, isResponded }: { isPersonal: boolean; isResponded: boolean },
  followUpMs: number,
): boolean {
  return !isPersonal && !isResponded && followUpMs > 0;
}

/**
 * The terms of the follow-up after a claim or a hand-over: the minutes of the rule that left the lead in its pool. Nobody
 * else is tried after that agent.
 */
export function followUpAfterClaim(rule: Rule | null, { followUpMinutes }: Defaults): FollowUp {
  const { minutes, clock } = rule?.followUp ?? {};
  const terms = { onExpiry: 'note', maxMoves: 0, poolId: null } as const;
  return { ...terms, minutes: minutes ?? followUpMinutes, ...(clock && { clock }) };
}

/** The event of a follow-up clock that runs out; `reassign` where the next agent is still to be chosen. */
export function decideExpiry(
  followUp: FollowUp | null,
  moves: number,
): AssignmentEvent | 'reassign' {
  const { onExpiry, maxMoves, poolId } = followUp ?? NOTE_ONLY;
  switch (onExpiry) {
    case 'note':
      return keepOwner({ kind: 'note_only' });
    case 'reassign':
      return moves < maxMoves ? 'reassign' : keepOwner({ kind: 'moves_used_up', moves });
    case 'pool':
      return poolId ? { kind: 'follow_up_pooled', poolId } : keepOwner({ kind: 'no_pool' });
    default:
      return assertNever(onExpiry);
  }
}

const NOTE_ONLY = { onExpiry: 'note', maxMoves: 0, poolId: null } as const;

function keepOwner(why: KeepOwnerReason): AssignmentEvent {
  return { kind: 'follow_up_expired', why };
}
