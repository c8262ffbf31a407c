import { assertNever } from '../assert-never.ts';
import type { FollowUp } from '../routing/follow-up.ts';

/** Why a lead stays with an agent who did not respond in time. */
export type KeepOwnerReason =
  | { kind: 'note_only' }
  | { kind: 'no_pool' }
  | { kind: 'moves_used_up'; moves: number }
  | { kind: 'nobody_else'; lines: readonly string[] };

export type Expiry =
  | { kind: 'keep_owner'; why: KeepOwnerReason }
  | { kind: 'reassign' }
  | { kind: 'pool'; poolId: string };

/** What the terms of an assignment ask for when its follow-up clock runs out. */
export function decideExpiry(followUp: FollowUp | null, moves: number): Expiry {
  const action = followUp?.onExpiry ?? 'note';
  switch (action) {
    case 'note':
      return keepOwner({ kind: 'note_only' });
    case 'reassign':
      return moves < (followUp?.maxMoves ?? 0)
        ? { kind: 'reassign' }
        : keepOwner({ kind: 'moves_used_up', moves });
    case 'pool':
      return followUp?.poolId
        ? { kind: 'pool', poolId: followUp.poolId }
        : keepOwner({ kind: 'no_pool' });
    default:
      return assertNever(action);
  }
}

function keepOwner(why: KeepOwnerReason): Expiry {
  return { kind: 'keep_owner', why };
}
