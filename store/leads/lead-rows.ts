import { isDeepStrictEqual } from 'node:util';
import {
  type AssignmentColumns,
  buildTimelineRow,
  type RecordedChange,
} from '../../domain/assignment/records.ts';
import type { Transition } from '../../domain/assignment/transitions.ts';
import type { Entry } from '../../domain/catalogue/lookups/lookup-list.ts';
import type { CommentOutcome } from '../../domain/leads/comments.ts';
import {
  type ContactPoint,
  contactPointsOf,
  readContactEntry,
} from '../../domain/leads/contact-points.ts';
import type { AdPlatformBlock } from '../../domain/leads/ad-platform.ts';
import {
  concernsWorkflow,
  type LeadChange,
  workflowEventOf,
} from '../../domain/leads/lead-change.ts';
import { acceptsMerges, type Merge } from '../../domain/leads/merge.ts';
import { changeNote } from '../../domain/leads/timeline-notes.ts';
import { type QuizPlan, storedQuizKey, supersededQuizKey } from '../../domain/quiz/quiz-plan.ts';
import type { RowsByTable } from '../db/rows.ts';
import type { LeadRow } from './lead-json.ts';
import { buildOutboxRow } from './outbox.ts';

type TransitionTable = 'assignments' | 'routing_decisions' | 'webhook_events';

/** Without the rows that only `recordsOf` decides. */
export type AddedRows = Omit<RowsByTable, 'leads' | TransitionTable> & {
  readonly [Table in 'leads' | TransitionTable]?: never;
};

/** Without the columns of the assignment, which only `recordsOf` decides. */
export type ChangedColumns = Readonly<Record<string, unknown>> & {
  readonly [Column in keyof AssignmentColumns]?: never;
};

export interface NewLeadRows {
  lead: LeadRow;
  source: Entry | null;
  transition: RecordedChange;
  added: AddedRows;
}

/** What a change of its details adds to a lead, beside the records of its assignment. */
export interface DetailRows {
  columns: ChangedColumns;
  rows: AddedRows;
  supersededQuizKey?: string | null;
}

interface RowContext {
  leadId: string;
  submission: Submission;
  now: Date;
  newId: () => string;
}

export interface Submission {
  id: string;
  clientId: string;
  kind: 'create' | 'merge' | 'update';
  /** The JSON text as received. */
  body: string;
  traceparent: string | null;
}

export interface NewLead extends Submitted {
  lead: LeadRow;
  source: Entry | null;
  contactPoints: readonly ContactPoint[];
  isNewContact: boolean;
  transition: Transition;
}

export function buildNewLeadRows(newLead: NewLead, context: RowContext): NewLeadRows {
  const { lead, source, transition } = newLead;
  const { now, newId } = context;
  return {
    lead,
    source,
    transition: { transition, now, newId, clientId: lead.client_id },
    added: {
      contacts: newLead.isNewContact ? [buildContactRow(lead)] : [],
      lead_access: [{ lead_id: lead.id, client_id: lead.client_id }],
      ...buildContactPointRows(newLead.contactPoints, lead, { founding: true }),
      ...buildSubmittedRows(newLead, context),
      lead_outbox: [buildOutboxRow(lead.id, 'created', now)],
    },
  };
}

/** Contact resolution, 3. */
function buildContactRow(lead: LeadRow) {
  return {
    id: lead.contact_id,
    first_name: lead.lead_first_name,
    middle_name: lead.lead_middle_name,
    last_name: lead.lead_last_name,
    company_name: lead.lead_company_name,
    created_at: lead.created_at,
  };
}

export interface ChangedLead extends Submitted {
  merge: Merge | null;
  isHeard: boolean;
  lead: LeadRow;
  leadChange: LeadChange;
  newPhones: readonly string[];
  newEmails: readonly string[];
}

export function buildChangeRows(
  changed: ChangedLead,
  context: RowContext,
  client: { id: string; name: string },
): DetailRows {
  const { merge, isHeard, lead, leadChange } = changed;
  const { now, submission } = context;
  const points = contactPointsOf(
    [...changed.newPhones, ...changed.newEmails].map(readContactEntry),
  );
  return {
    columns: withTrace(changedColumns(lead, leadChange, now), lead, submission),
    rows: {
      lead_access: merge ? [{ lead_id: lead.id, client_id: client.id }] : [],
      ...buildContactPointRows(points, lead, { founding: false }),
      ...buildSubmittedRows(changed, context),
      timeline_notes: buildNoteRows(changed, context, client),
      lead_outbox:
        merge && isHeard
          ? [buildOutboxRow(lead.id, 'updated', now)]
          : buildSignal(lead, leadChange, workflowEventOf(leadChange), now),
    },
    supersededQuizKey: supersededQuizKey(changed.quiz),
  };
}

export function buildResolvedRows(
  lead: LeadRow,
  leadChange: LeadChange,
  { text, now, newId }: { text: string; now: Date; newId: () => string },
): DetailRows {
  const data = { fields: leadChange.updatedFields };
  const note = { leadId: lead.id, now, newId, kind: 'resolved', text, data } as const;
  return {
    columns: changedColumns(lead, leadChange, now),
    rows: {
      timeline_notes: [buildTimelineRow(note)],
      lead_outbox: buildSignal(lead, leadChange, 'resolved', now),
    },
  };
}

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

/** Only the lead's own client gets its trace. */
function withTrace(
  change: ChangedColumns,
  { client_id }: LeadRow,
  { clientId, traceparent }: Submission,
): ChangedColumns {
  const own = clientId === client_id ? traceparent : null;
  return Object.keys(change).length > 0 ? { ...change, traceparent: own } : change;
}

function buildSignal(lead: LeadRow, leadChange: LeadChange, event: string, now: Date) {
  return concernsWorkflow(leadChange, lead) ? [buildOutboxRow(lead.id, event, now)] : [];
}

function buildNoteRows(
  { merge, leadChange }: ChangedLead,
  context: RowContext,
  client: { id: string; name: string },
) {
  const note = changeNote(client.name, leadChange, merge);
  if (!note) return [];
  const row = buildTimelineRow({ ...context, ...note, clientId: client.id });
  return [{ ...row, id: context.submission.id }];
}

function buildContactPointRows(
  contactPoints: readonly ContactPoint[],
  lead: Pick<LeadRow, 'id' | 'contact_id' | 'is_portal' | 'merge_window_closed_at'>,
  { founding }: { founding: boolean },
) {
  const columns = { lead_id: lead.id, founding, mergeable: acceptsMerges(lead) };
  return {
    contact_points: contactPoints.map((point) => ({ ...point, contact_id: lead.contact_id })),
    lead_contact_points: contactPoints.map((point) => ({ ...point, ...columns })),
  };
}

interface Submitted {
  comments: CommentOutcome;
  block: AdPlatformBlock | null;
  quiz: QuizPlan;
}

function buildSubmittedRows({ comments, block, quiz }: Submitted, context: RowContext) {
  const { leadId, submission, now, newId } = context;
  const { id, clientId, kind, body } = submission;
  const origin = { lead_id: leadId, submission_id: id };
  const quiz_key = storedQuizKey(quiz.quizKey);
  const received_at = now.toISOString();
  return {
    submissions: [{ id, lead_id: leadId, client_id: clientId, kind, received_at, body }],
    comments: comments.added.map(({ occurredAt, externalId, ...comment }, position) => ({
      ...comment,
      ...origin,
      id: newId(),
      client_id: clientId,
      position,
      occurred_at: (occurredAt ?? now).toISOString(),
      external_id: externalId,
    })),
    ad_platform_blocks: block
      ? [{ ...origin, ad_platform_lead_id: block.identity, block: block.block }]
      : [],
    quiz_questions: quiz.questions.map((question) => ({
      ...question,
      quiz_key,
      first_seen_at: received_at,
    })),
    quiz_answers: quiz.answers.map((answer) => ({ ...answer, ...origin, id: newId(), quiz_key })),
  };
}
