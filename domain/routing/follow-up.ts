import { assertNever } from '../assert-never.ts';
import type { AssignmentCause, KeepOwnerReason } from '../assignment/assignment-cause.ts';
import { addWorkingTime, type Calendar } from './calendar.ts';
import { leaveOf, type Rule } from './rules.ts';

const MINUTE_MS = 60_000;

export interface Defaults {
  followUpMinutes: number;
}

export function routingDefaults({ followUpMs }: { followUpMs: number }): Defaults {
  return { followUpMinutes: followUpMs / MINUTE_MS };
}

export interface FollowUp extends Pick<Rule['followUp'], 'onExpiry' | 'maxMoves' | 'clock'> {
  /** 0: no response deadline. */
  minutes: number;
  poolId: string | null;
}

export function followUpOf(rule: Rule, { followUpMinutes }: Defaults): FollowUp {
  const minutes = rule.followUp.minutes ?? followUpMinutes;
  return { ...rule.followUp, minutes, poolId: expiryPoolId(rule) };
}

const NOTE_ONLY = { onExpiry: 'note', maxMoves: 0, poolId: null } as const;

/** The minutes are those of the rule that left the lead in its pool. No other agent is tried. */
export function followUpAfterClaim(rule: Rule | null, { followUpMinutes }: Defaults): FollowUp {
  const { minutes, clock } = rule?.followUp ?? {};
  return { ...NOTE_ONLY, minutes: minutes ?? followUpMinutes, ...(clock && { clock }) };
}

/** 0 also if the owner has no working time within a year. */
export function followUpMsOf(
  { minutes, clock }: Pick<FollowUp, 'minutes' | 'clock'>,
  calendar: Calendar,
  now: Date,
): number {
  const ms = minutes * MINUTE_MS;
  if (clock !== 'working') return ms;
  const due = addWorkingTime(calendar, now, ms);
  return due === null ? 0 : due.getTime() - now.getTime();
}

/** `Personal distribution` has no response deadline (distributionType, 4). */
export function startsFollowUp(
  { isPersonal, isResponded }: { isPersonal: boolean; isResponded: boolean },
  followUpMs: number,
): boolean {
  return !isPersonal && !isResponded && followUpMs > 0;
}

export function expiryPoolId(rule: Rule): string | null {
  const leave = leaveOf(rule);
  return rule.followUp.poolId ?? (leave.kind === 'pool' ? leave.poolId : null);
}

export function decideExpiry(
  followUp: FollowUp | null,
  moves: number,
): AssignmentCause | 'reassign' {
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

function keepOwner(why: KeepOwnerReason): AssignmentCause {
  return { kind: 'follow_up_expired', why };
}
