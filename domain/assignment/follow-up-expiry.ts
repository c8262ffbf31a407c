import { assertNever } from '../assert-never.ts';
import { NOTE_ONLY, type FollowUp } from '../routing/follow-up-terms.ts';
import type { AssignmentEvent, KeepOwnerReason } from './assignment-event.ts';

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

function keepOwner(why: KeepOwnerReason): AssignmentEvent {
  return { kind: 'follow_up_expired', why };
}
