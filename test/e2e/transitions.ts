import { isDeepStrictEqual } from 'node:util';
import {
  decideTransition,
  newAssignment,
  TRANSITIONS,
} from '../../domain/assignment/transitions.ts';
import type {
  AssignmentCause,
  AssignmentState,
  AssignmentStatus,
  DecidedBy,
} from '../../domain/assignment/assignment-cause.ts';

export interface LeadRecord {
  status: AssignmentStatus;
  round: number;
  moves: number;
  ownerId: string | null;
  isPersonal: boolean;
  history: AssignmentRecord[];
  events: WebhookEvent[];
}

export interface AssignmentRecord {
  round: number;
  move: number;
  status: Exclude<AssignmentStatus, 'pending'>;
  agentId: string | null;
  previousAgentId: string | null;
  poolId: string | null;
  decidedBy: DecidedBy;
}

interface WebhookEvent {
  type: string;
  sequence: number;
  agentId: string | null;
  previousAgentId: string | null;
}

interface Replay {
  state: AssignmentState;
  holder: string | null;
  /** Also where nobody holds it any longer. */
  lastHolder: string | null;
  events: WebhookEvent[];
  issues: string[];
}

/** Lists how a lead's history differs from a path of the table of transitions. Empty if it is one. */
export function historyIssues(lead: LeadRecord): string[] {
  const { issues, state, holder, events } = replayHistory(lead);
  const compared: [what: string, actual: unknown, due: unknown][] = [
    ['status', lead.status, state.status],
    ['round', lead.round, state.round],
    ['moves', lead.moves, state.moves],
    ['owner', lead.ownerId, holder],
    ['events', eventsButResponses(lead), events],
  ];
  const differing = compared.filter(([, actual, due]) => !isDeepStrictEqual(actual, due));
  return [
    ...issues,
    ...differing.map(
      ([what, actual, due]) => `${what} ${JSON.stringify(actual)}, due: ${JSON.stringify(due)}`,
    ),
    ...(lead.isPersonal && lead.history.slice(1).some(({ decidedBy }) => decidedBy !== 'operator')
      ? ['a Personal lead was moved']
      : []),
  ];
}

/** A response or another enquiry may come at any time and is no part of the history. What is numbered without a gap is numbered anew. */
function eventsButResponses({ events }: LeadRecord): WebhookEvent[] {
  if (events.some(({ sequence }, index) => sequence !== index + 1)) return events;
  return events
    .filter(({ type }) => type !== 'lead.responded' && type !== 'lead.enquired')
    .map((event, index) => ({ ...event, sequence: index + 1 }));
}

/** Each round after the first began with new details or with an operator's decision. */
function replayHistory({ isPersonal, round, history }: LeadRecord): Replay {
  const state = newAssignment({ isPersonal });
  const replay: Replay = { state, holder: null, lastHolder: null, events: [], issues: [] };
  const [first] = history;
  if (!first || kindOf(first) !== 'created_with_owner')
    take(replay, { kind: 'created', createdBy: 'a client' });
  for (let each = 1; each <= round; each += 1) {
    const rows = history.filter((row) => row.round === each);
    if (each > 1 && rows[0]?.decidedBy !== 'operator') take(replay, { kind: 'new_details' });
    for (const row of rows) takeRow(replay, row);
  }
  return replay;
}

function takeRow(replay: Replay, row: AssignmentRecord): void {
  const { round, move, agentId, previousAgentId } = row;
  if (previousAgentId !== replay.lastHolder)
    replay.issues.push(`taken from ${previousAgentId}, last held by ${replay.lastHolder}`);
  if (agentId !== null && agentId === replay.holder)
    replay.issues.push(`${agentId} took it from themselves`);
  take(replay, eventOf(row));
  const { state } = replay;
  if (round !== state.round || move !== state.moves)
    replay.issues.push(
      `${round}.${move} in its history where ${state.round}.${state.moves} is due`,
    );
}

function take(replay: Replay, cause: AssignmentCause): void {
  const next = decideTransition(replay.state, cause);
  if (!next) {
    replay.issues.push(`${replay.state.status} does not take ${cause.kind}`);
    return;
  }
  const { status, round, moves, clock, holder, webhookEvents } = next;
  const agentId = holder.kind === 'agent' ? holder.agent.id : null;
  for (const type of webhookEvents) {
    const agents = { agentId, previousAgentId: replay.lastHolder };
    const none = { agentId: null, previousAgentId: null };
    const sequence = replay.events.length + 1;
    replay.events.push({ type, sequence, ...(type === 'lead.assigned' ? agents : none) });
  }
  if (holder.kind !== 'unchanged') {
    replay.holder = agentId;
    replay.state.poolId = holder.kind === 'pool' ? holder.poolId : null;
  }
  replay.lastHolder = agentId ?? replay.lastHolder;
  const isClockRunning = clock.kind === 'start';
  replay.state = { ...replay.state, status, round, moves, isClockRunning };
}

/** A record keeps who decided and what came of it, which together name one event of the table. */
function kindOf({ decidedBy, status }: AssignmentRecord): AssignmentCause['kind'] {
  const by = decidedBy === 'listing' || decidedBy === 'assigned_by' ? 'request' : decidedBy;
  const rule = TRANSITIONS.find((each) => each.decidedBy === by && each.to === status);
  if (!rule) throw new Error(`No event is decided by ${decidedBy} and ends ${status}.`);
  return rule.cause;
}

/** With a clock, so that whatever the follow-up did may have happened. */
function eventOf(row: AssignmentRecord): AssignmentCause {
  const agent = row.agentId === null ? {} : { agent: { id: row.agentId }, followUpMs: 1 };
  const pool = row.status === 'pool' ? { poolId: row.poolId } : {};
  const event = { kind: kindOf(row), decidedBy: row.decidedBy, why: [], movesPersonal: true };
  return { ...event, ...agent, ...pool } as unknown as AssignmentCause;
}
