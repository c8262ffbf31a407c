import { assertNever } from '../assert-never.ts';
import type { AssignmentCause, KeepOwnerReason } from '../assignment/assignment-cause.ts';

/** Erasures keep notes: text of a customer or an operator does not belong here (`operator_texts`). */
export const noteKinds = [
  'created',
  'assigned',
  'pool',
  'unassigned',
  'waiting',
  'follow_up',
  'response',
  'updated',
  'merged',
  'resolved',
] as const;
type NoteKind = (typeof noteKinds)[number];

export type NoteContent =
  | { kind: ChangeNoteKind; text: string; data: { fields: readonly string[]; sent?: SentFields } }
  | { kind: Exclude<NoteKind, ChangeNoteKind>; text: string; data?: undefined };
type ChangeNoteKind = 'updated' | 'merged' | 'resolved';

const REASONS = {
  listing: 'The agent of the listing owns the lead.',
  assigned_by: 'The request named the agent to own the lead.',
} as const;

/** Contains names of integrations and rules, and ids, never a person. */
export function noteText(event: AssignmentCause): string {
  switch (event.kind) {
    case 'created':
    case 'created_with_owner':
      return `Created by ${event.createdBy}.`;
    case 'routed_to_agent':
    case 'routed_to_pool':
    case 'left_unassigned':
    case 'waiting':
      return `${event.why.join('. ')}.`;
    case 'new_details':
      return 'New details arrived.';
    case 'enquired':
      return 'Another enquiry arrived.';
    case 'follow_up_expired':
      return keepOwnerText(event.why);
    case 'follow_up_reassigned':
      return `No response in time. ${event.why.join('. ')}.`;
    case 'follow_up_pooled':
      return 'No response in time: left in the pool that the rule names.';
    case 'claimed':
      return `Claimed from the pool by agent ${event.agent.id}.`;
    case 'operator_assigned': {
      const agent = `agent ${event.agent.id}`;
      return operatorText(event, `Assigned by an operator to ${agent}`, `${agent} has it again`);
    }
    case 'operator_pooled':
      return operatorText(event, 'Put into a pool by an operator', 'it is in its pool again');
    case 'operator_unassigned':
      return operatorText(event, 'Left unassigned by an operator', 'it is unassigned again');
    case 'operator_waiting':
      return operatorText(event, BY_OPERATOR.sentBack, 'it waits again');
    case 'responded':
      return `${event.recordedBy} recorded a response after ${event.seconds} s.`;
    default:
      return assertNever(event);
  }
}

export function reasonOf(event: AssignmentCause): string {
  return event.kind === 'created_with_owner' ? REASONS[event.decidedBy] : noteText(event);
}

/** Workflow histories show notes, so that the operator and their reason stay in Postgres. */
function operatorText(
  { why, isUndo = false }: { why: readonly string[]; isUndo?: boolean },
  chosen: string,
  again: string,
): string {
  const { takenBack, sentBack } = BY_OPERATOR;
  if (why.length > 0) return `${[isUndo ? takenBack : sentBack, ...why].join('. ')}.`;
  return isUndo ? `${takenBack}: ${again}.` : `${chosen}.`;
}

export const BY_OPERATOR = {
  sentBack: 'Sent back to the rules by an operator',
  takenBack: 'Taken back by an operator',
} as const;

function keepOwnerText(why: KeepOwnerReason): string {
  switch (why.kind) {
    case 'note_only':
      return 'No response in time.';
    case 'no_pool':
      return 'No response in time; the rule names no pool.';
    case 'moves_used_up':
      return `No response in time; after ${why.moves} ${why.moves === 1 ? 'move' : 'moves'} it stays.`;
    case 'nobody_else':
      return `No response in time and nobody else can take over yet. ${why.lines.join('. ')}.`;
    default:
      return assertNever(why);
  }
}

interface NotedChange {
  updatedFields: readonly string[];
  rerouted: boolean;
}

/** Fields to names of matched records, never what a customer wrote. */
export type SentFields = Readonly<Record<string, string | null>>;

/** For each merge, and for every update that changes something (update rule 9). */
export function changeNote(
  integration: string,
  change: NotedChange,
  merge: { sent: SentFields } | null,
): NoteContent | null {
  const fields = change.updatedFields;
  if (merge) {
    const text = mergeNoteText(integration, merge.sent, change);
    return { kind: 'merged', text, data: { fields, sent: merge.sent } };
  }
  if (fields.length === 0) return null;
  const text = `${integration} updated ${fields.join(', ')}.${sentBack(change)}`;
  return { kind: 'updated', text, data: { fields } };
}

function mergeNoteText(integration: string, sent: SentFields, change: NotedChange): string {
  const fields = Object.entries(sent).map(([field, name]) => (name ? `${field} (${name})` : field));
  const merged = `An enquiry from ${integration} was merged into this lead: ${fields.join(', ')}.`;
  return `${merged} It changed ${fieldList(change)}.`;
}

export function resolvedNoteText(author: string, change: NotedChange): string {
  const fields = fieldList(change);
  return `An import by ${author} resolved what was sent earlier: ${fields}.${sentBack(change)}`;
}

function fieldList({ updatedFields }: NotedChange): string {
  return updatedFields.length > 0 ? updatedFields.join(', ') : 'no field';
}

function sentBack({ rerouted }: NotedChange): string {
  return rerouted ? ' Sent back through assignment.' : '';
}
