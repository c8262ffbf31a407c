import { isDeepStrictEqual } from 'node:util';
import { contactPointsOf } from '../../domain/leads/contact-points.ts';
import type { LeadChange, LeadChangeKind } from '../../domain/leads/lead-change.ts';
import { mergeNoteText, updateNoteText } from '../../domain/leads/lead-change-notes.ts';
import { supersededQuizKey } from '../../domain/quiz/supersede.ts';
import { assignmentColumns } from '../assignment/record-transition.ts';
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
import type { ChangeRows } from './write-lead.ts';

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
): ChangeRows {
  const { kind, lead, leadChange } = changed;
  const added = contactPointsOf(changed.newPhones, changed.newEmails);
  return {
    lead_access: kind === 'merge' ? [{ lead_id: lead.id, client_id: client.id }] : [],
    ...buildContactPointRows(added, lead, { founding: false }),
    ...buildSubmittedRows(changed, context),
    timeline_notes: buildNoteRows(changed, context, client),
    superseded_quiz_key: supersededQuizKey(changed.quiz),
    lead_outbox: concernsWorkflow(lead, leadChange)
      ? [buildOutboxRow(lead.id, workflowEventOf(leadChange), context.now)]
      : [],
    ...withTrace(buildLeadChange(lead, leadChange, context.now), lead, context.submission),
  };
}

/** The new values of the lead's own row; nothing where none differs. */
export function buildLeadChange(
  lead: LeadRow,
  leadChange: LeadChange,
  now: Date,
): { change?: object } {
  const { transition } = leadChange;
  const hasNewFlags = !isDeepStrictEqual(leadChange.intakeUnresolved, lead.intake_unresolved);
  if (leadChange.updatedFields.length === 0 && !hasNewFlags) return {};
  return {
    change: {
      ...leadChange.change,
      intake_unresolved: leadChange.intakeUnresolved,
      updated_at: now.toISOString(),
      ...(transition && assignmentColumns(lead, transition, now)),
    },
  };
}

/** Events go to the endpoints of the lead's own client, so another client's trace is not kept. */
function withTrace(
  { change }: { change?: object },
  { client_id }: LeadRow,
  { clientId, traceparent }: Submission,
): { change?: object } {
  const own = clientId === client_id ? traceparent : null;
  return change ? { change: { ...change, traceparent: own } } : {};
}

/** Whether the workflow is signalled: to route the lead, or to publish what an open run shows of it. */
export function concernsWorkflow(lead: LeadRow, leadChange: LeadChange): boolean {
  return leadChange.rerouted || (hasOpenRun(lead) && changesSearchAttributes(lead, leadChange));
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
      ? { kind: 'updated', text: updateNoteText(client.name, leadChange) }
      : { kind: 'merged', text: mergeNoteText(client.name, leadChange) };
  return [buildTimelineRow({ ...context, ...note, clientId: client.id, data: { fields } })];
}
