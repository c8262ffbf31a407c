import { isDeepStrictEqual } from 'node:util';
import { contactPointsOf } from '../../domain/leads/contact-points.ts';
import type { LeadChange, LeadChangeKind } from '../../domain/leads/lead-change.ts';
import { mergeNoteText, updateNoteText } from '../../domain/leads/lead-change-notes.ts';
import { supersededQuizKey } from '../../domain/quiz/quiz-plan.ts';
import type { TransitionFacts } from '../assignment/transition-rows.ts';
import type { LeadRow } from './lead-tables.ts';
import {
  acceptsMerges,
  buildContactPointRows,
  buildOutboxRow,
  buildSubmittedRows,
  buildTimelineRow,
  type RowContext,
  type Submission,
  type Submitted,
} from './lead-rows.ts';
import type { ChangedColumns, LeadChangeRows } from './write-lead.ts';

export interface ChangedLead extends Submitted {
  kind: LeadChangeKind;
  /** The lead before the change. */
  lead: LeadRow;
  leadChange: LeadChange;
  newPhones: readonly string[];
  newEmails: readonly string[];
}

/** What a merged enquiry or an update adds to a lead, and how it changes the lead's own row. */
export function buildChangeRows(
  changed: ChangedLead,
  context: RowContext,
  client: { id: string; name: string },
): LeadChangeRows {
  const { kind, lead, leadChange } = changed;
  const { now, newId, submission } = context;
  const points = contactPointsOf(changed.newPhones, changed.newEmails);
  const cause = { now, newId, clientId: client.id };
  return {
    change: withTrace(changedColumns(lead, leadChange, now), lead, submission),
    transition: recordedTransition(leadChange, cause),
    added: {
      lead_access: kind === 'merge' ? [{ lead_id: lead.id, client_id: client.id }] : [],
      ...buildContactPointRows(points, lead, { founding: false }),
      ...buildSubmittedRows(changed, context),
      timeline_notes: buildNoteRows(changed, context, client),
      lead_outbox: buildSignal(lead, leadChange, workflowEventOf(leadChange), now),
    },
    supersededQuizKey: supersededQuizKey(changed.quiz),
  };
}

/** What an import fills of a lead whose earlier values it resolves. */
export function buildResolvedRows(
  lead: LeadRow,
  leadChange: LeadChange,
  { text, now, newId }: { text: string; now: Date; newId: () => string },
): LeadChangeRows {
  const data = { fields: leadChange.updatedFields };
  const note = { leadId: lead.id, now, newId, kind: 'resolved', text, data } as const;
  return {
    change: changedColumns(lead, leadChange, now),
    transition: recordedTransition(leadChange, { now, newId }),
    added: {
      timeline_notes: [buildTimelineRow(note)],
      lead_outbox: buildSignal(lead, leadChange, 'resolved', now),
    },
  };
}

function recordedTransition({ transition }: LeadChange, cause: TransitionFacts) {
  return transition && { transition, ...cause };
}

/** The new values of the lead's own row; nothing where none differs. */
function changedColumns(
  lead: LeadRow,
  { change, intakeUnresolved, updatedFields }: LeadChange,
  now: Date,
): ChangedColumns {
  const hasNewFlags = !isDeepStrictEqual(intakeUnresolved, lead.intake_unresolved);
  const hasNewValues = Object.keys(change).length > 0;
  if (updatedFields.length === 0 && !hasNewValues && !hasNewFlags) return {};
  return { ...change, intake_unresolved: intakeUnresolved, updated_at: now.toISOString() };
}

/** Events go to the endpoints of the lead's own client, so another client's trace is not kept. */
function withTrace(
  change: ChangedColumns,
  { client_id }: LeadRow,
  { clientId, traceparent }: Submission,
): ChangedColumns {
  const own = clientId === client_id ? traceparent : null;
  return Object.keys(change).length > 0 ? { ...change, traceparent: own } : change;
}

function buildSignal(lead: LeadRow, leadChange: LeadChange, event: string, now: Date) {
  return concernsWorkflow(lead, leadChange) ? [buildOutboxRow(lead.id, event, now)] : [];
}

/**
 * Whether the workflow is signalled: to route the lead, to deliver an event, or to publish what an open run
 * shows of it.
 */
function concernsWorkflow(lead: LeadRow, leadChange: LeadChange): boolean {
  const { rerouted, transition } = leadChange;
  if (rerouted || (transition && transition.webhookEvents.length > 0)) return true;
  return hasOpenRun(lead) && changesSearchAttributes(lead, leadChange);
}

export function workflowEventOf({ rerouted }: LeadChange): 'rerouted' | 'updated' {
  return rerouted ? 'rerouted' : 'updated';
}

/** A completed run keeps the search attributes that it ended with. */
function hasOpenRun(lead: LeadRow): boolean {
  return acceptsMerges(lead) || lead.follow_up_due_at !== null;
}

function changesSearchAttributes(
  lead: LeadRow,
  { updatedFields, intakeUnresolved }: LeadChange,
): boolean {
  const changesReview = (intakeUnresolved === null) !== (lead.intake_unresolved === null);
  return changesReview || updatedFields.includes('sourceId');
}

/** Every update that changes something, and every merged enquiry, leaves a note (update rule 9). */
function buildNoteRows(
  { kind, leadChange }: ChangedLead,
  context: RowContext,
  client: { id: string; name: string },
) {
  const fields = leadChange.updatedFields;
  if (kind === 'update' && fields.length === 0) return [];
  const note =
    kind === 'update'
      ? ({ kind: 'updated', text: updateNoteText(client.name, leadChange) } as const)
      : ({ kind: 'merged', text: mergeNoteText(client.name, leadChange) } as const);
  return [buildTimelineRow({ ...context, ...note, clientId: client.id, data: { fields } })];
}
