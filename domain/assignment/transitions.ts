import { type NoteContent, noteText, reasonOf } from '../leads/timeline-notes.ts';
import { startsFollowUp } from '../routing/follow-up.ts';
import type { AgentView, LeadEventType } from '../webhooks/event-payloads.ts';
import type {
  AssignmentCause,
  AssignmentState,
  AssignmentStatus,
  DecidedBy,
  MergedEnquiry,
} from './assignment-cause.ts';

/** A webhook event needs these facts, so that the table refuses the row of a cause without them. */
export interface EventRequirements {
  'lead.created': { createdBy: string };
  'lead.assigned': { agent: AgentView };
  'lead.pooled': { poolId: string };
  'lead.unassigned': { kind: 'left_unassigned' | 'operator_unassigned' | 'operator_waiting' };
  'lead.responded': { seconds: number; holder: AgentView | null };
  'lead.enquired': { enquiry: MergedEnquiry };
}
type CauseOf<Kind> = Extract<AssignmentCause, { kind: Kind }>;
type WebhookEventOf<Kind> = {
  [Type in LeadEventType]: CauseOf<Kind> extends EventRequirements[Type] ? Type : never;
}[LeadEventType];

const NONE = [] as const;
const CREATED = ['lead.created'] as const;
const BOTH = ['lead.created', 'lead.assigned'] as const;
const TAKEN = ['lead.assigned'] as const;
const POOLED = ['lead.pooled'] as const;
const NOBODY = ['lead.unassigned'] as const;
const REPLIED = ['lead.responded'] as const;
const ANOTHER = ['lead.enquired'] as const;

type Decided = Exclude<AssignmentStatus, 'pending'>;
type Steps = readonly [
  round: 'next' | 'same',
  move: 'first' | 'next' | 'same',
  clock: 'start' | 'stop' | 'keep',
];
/** A cause that ends an assignment before a wait also adds an entry to the history. */
type Outcome =
  | readonly [to: 'pending', ...Steps, decidedBy: 'operator' | null]
  | readonly [to: Decided, ...Steps, decidedBy: DecidedBy | 'request' | null];
type RowOf<Kind> = readonly [
  from: AssignmentState['status'],
  cause: Kind,
  ...Outcome,
  webhookEvents: readonly WebhookEventOf<Kind>[],
  note: TransitionNote['kind'] | null,
];
type Row = { [Kind in AssignmentCause['kind']]: RowOf<Kind> }[AssignmentCause['kind']];
type TransitionNote = Extract<NoteContent, { data?: undefined }>;

// prettier-ignore
const ROWS: readonly Row[] = [
  ['new',        'created',              'pending',    'next', 'first', 'stop',  null,        CREATED, 'created'],
  ['new',        'created_with_owner',   'assigned',   'next', 'first', 'start', 'request',   BOTH,    'created'],
  ['pending',    'routed_to_agent',      'assigned',   'same', 'first', 'start', 'rules',     TAKEN,   'assigned'],
  ['pending',    'routed_to_pool',       'pool',       'same', 'first', 'stop',  'rules',     POOLED,  'pool'],
  ['pending',    'left_unassigned',      'unassigned', 'same', 'first', 'stop',  'rules',     NOBODY,  'unassigned'],
  ['pending',    'waiting',              'pending',    'same', 'same',  'stop',  null,        NONE,    'waiting'],
  ['pending',    'new_details',          'pending',    'next', 'first', 'stop',  null,        NONE,    null],
  ['pool',       'new_details',          'pending',    'next', 'first', 'stop',  null,        NONE,    null],
  ['unassigned', 'new_details',          'pending',    'next', 'first', 'stop',  null,        NONE,    null],
  ['assigned',   'new_details',          'assigned',   'same', 'same',  'keep',  null,        NONE,    null],
  ['assigned',   'follow_up_expired',    'assigned',   'same', 'same',  'stop',  null,        NONE,    'follow_up'],
  ['assigned',   'follow_up_reassigned', 'assigned',   'same', 'next',  'start', 'follow_up', TAKEN,   'assigned'],
  ['assigned',   'follow_up_pooled',     'pool',       'same', 'next',  'stop',  'follow_up', POOLED,  'pool'],
  ['pool',       'claimed',              'assigned',   'same', 'next',  'start', 'claim',     TAKEN,   'assigned'],
  ['pending',    'operator_assigned',    'assigned',   'next', 'first', 'start', 'operator',  TAKEN,   'assigned'],
  ['pending',    'operator_pooled',      'pool',       'next', 'first', 'stop',  'operator',  POOLED,  'pool'],
  ['pending',    'operator_unassigned',  'unassigned', 'next', 'first', 'stop',  'operator',  NOBODY,  'unassigned'],
  ['pending',    'operator_waiting',     'pending',    'next', 'first', 'stop',  null,        NONE,    'waiting'],
  ['assigned',   'operator_assigned',    'assigned',   'next', 'first', 'start', 'operator',  TAKEN,   'assigned'],
  ['assigned',   'operator_pooled',      'pool',       'next', 'first', 'stop',  'operator',  POOLED,  'pool'],
  ['assigned',   'operator_unassigned',  'unassigned', 'next', 'first', 'stop',  'operator',  NOBODY,  'unassigned'],
  ['assigned',   'operator_waiting',     'pending',    'next', 'first', 'stop',  'operator',  NOBODY,  'waiting'],
  ['pool',       'operator_assigned',    'assigned',   'next', 'first', 'start', 'operator',  TAKEN,   'assigned'],
  ['pool',       'operator_pooled',      'pool',       'next', 'first', 'stop',  'operator',  POOLED,  'pool'],
  ['pool',       'operator_unassigned',  'unassigned', 'next', 'first', 'stop',  'operator',  NOBODY,  'unassigned'],
  ['pool',       'operator_waiting',     'pending',    'next', 'first', 'stop',  null,        NONE,    'waiting'],
  ['unassigned', 'operator_assigned',    'assigned',   'next', 'first', 'start', 'operator',  TAKEN,   'assigned'],
  ['unassigned', 'operator_pooled',      'pool',       'next', 'first', 'stop',  'operator',  POOLED,  'pool'],
  ['unassigned', 'operator_unassigned',  'unassigned', 'next', 'first', 'stop',  'operator',  NONE,    'unassigned'],
  ['unassigned', 'operator_waiting',     'pending',    'next', 'first', 'stop',  null,        NONE,    'waiting'],
  ['pending',    'enquired',             'pending',    'same', 'same',  'keep',  null,        ANOTHER, null],
  ['assigned',   'enquired',             'assigned',   'same', 'same',  'keep',  null,        ANOTHER, null],
  ['pool',       'enquired',             'pool',       'same', 'same',  'keep',  null,        ANOTHER, null],
  ['unassigned', 'enquired',             'unassigned', 'same', 'same',  'keep',  null,        ANOTHER, null],
  ['pending',    'responded',            'pending',    'same', 'same',  'stop',  null,        REPLIED, 'response'],
  ['assigned',   'responded',            'assigned',   'same', 'same',  'stop',  null,        REPLIED, 'response'],
  ['pool',       'responded',            'pool',       'same', 'same',  'stop',  null,        REPLIED, 'response'],
  ['unassigned', 'responded',            'unassigned', 'same', 'same',  'stop',  null,        REPLIED, 'response'],
];

export const TRANSITIONS = ROWS.map((row) => {
  const [from, cause, to, round, move, clock, decidedBy, events, note] = row;
  const webhookEvents: readonly LeadEventType[] = events;
  return { from, cause, to, round, move, clock, decidedBy, webhookEvents, note };
});
type TransitionRule = (typeof TRANSITIONS)[number];

export interface Transition {
  cause: AssignmentCause;
  status: AssignmentStatus;
  round: number;
  moves: number;
  holder:
    | { kind: 'unchanged' }
    | { kind: 'agent'; agent: AgentView }
    | { kind: 'pool'; poolId: string }
    | { kind: 'nobody' };
  clock: { kind: 'start'; followUpMs: number } | { kind: 'stop' } | { kind: 'keep' };
  webhookEvents: readonly LeadEventType[];
  note: TransitionNote | null;
  history: HistoryEntry | null;
}

interface HistoryEntry {
  status: Decided;
  round: number;
  move: number;
  decidedBy: DecidedBy;
  reason: string;
}

export function newAssignment({ isPersonal }: { isPersonal: boolean }): AssignmentState {
  const counts = { round: 0, moves: 0 };
  return { status: 'new', ...counts, isPersonal, isResponded: false, isClockRunning: false };
}

export function allows(status: AssignmentState['status'], cause: AssignmentCause['kind']): boolean {
  return ruleFor(status, cause) !== undefined;
}

function ruleFor(status: AssignmentState['status'], cause: AssignmentCause['kind']) {
  return TRANSITIONS.find((each) => each.from === status && each.cause === cause);
}

export function decideTransition(
  state: AssignmentState,
  cause: AssignmentCause,
): Transition | null {
  const rule = ruleFor(state.status, cause.kind);
  if (!rule || !isApplicable(state, cause)) return null;
  const round = state.round + (rule.round === 'next' ? 1 : 0);
  const moves = rule.move === 'first' ? 0 : state.moves + (rule.move === 'next' ? 1 : 0);
  return {
    cause,
    status: rule.to,
    round,
    moves,
    holder: holderAfter(rule, cause),
    clock: clockAfter(rule, state, cause),
    webhookEvents: isInPool(state, cause) ? NONE : rule.webhookEvents,
    note: rule.note === null ? null : { kind: rule.note, text: noteText(cause) },
    history: historyOf(rule, cause, rule.to === 'pending' ? endOf(state) : { round, move: moves }),
  };
}

function isApplicable(state: AssignmentState, cause: AssignmentCause): boolean {
  const { isClockRunning, isPersonal, isResponded } = state;
  // The deadline may have expired before, while no agent was free.
  if (cause.kind === 'follow_up_reassigned') return !isPersonal && !isResponded;
  if (cause.kind.startsWith('follow_up_')) return isClockRunning;
  if (!isPersonal || !cause.kind.startsWith('operator_')) return true;
  return 'movesPersonal' in cause && cause.movesPersonal;
}

/** The lead stays in its pool, so that nothing changes for its integrator. */
function isInPool({ poolId = null }: AssignmentState, cause: AssignmentCause): boolean {
  return poolId !== null && 'poolId' in cause && cause.poolId === poolId;
}

export function requireTransition(state: AssignmentState, cause: AssignmentCause): Transition {
  const transition = decideTransition(state, cause);
  if (transition) return transition;
  throw new Error(`An assignment that is ${state.status} does not take '${cause.kind}'.`);
}

function holderAfter({ from, to }: TransitionRule, cause: AssignmentCause): Transition['holder'] {
  if ('agent' in cause) return { kind: 'agent', agent: cause.agent };
  if ('poolId' in cause) return { kind: 'pool', poolId: cause.poolId };
  return { kind: from === to ? 'unchanged' : 'nobody' };
}

function clockAfter(
  { clock }: TransitionRule,
  state: AssignmentState,
  cause: AssignmentCause,
): Transition['clock'] {
  if (clock !== 'start') return { kind: clock };
  const followUpMs = 'followUpMs' in cause ? cause.followUpMs : 0;
  return startsFollowUp(state, followUpMs) ? { kind: 'start', followUpMs } : { kind: 'stop' };
}

const endOf = ({ round, moves }: AssignmentState) => ({ round, move: moves + 1 });

function historyOf(
  { to, decidedBy }: TransitionRule,
  cause: AssignmentCause,
  place: Pick<HistoryEntry, 'round' | 'move'>,
): HistoryEntry | null {
  if (decidedBy === null) return null;
  const status = to === 'pending' ? 'unassigned' : to;
  const entry = { status, ...place, reason: reasonOf(cause) };
  if (decidedBy !== 'request') return { ...entry, decidedBy };
  return cause.kind === 'created_with_owner' ? { ...entry, decidedBy: cause.decidedBy } : null;
}
