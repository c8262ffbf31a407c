import { SENT_BACK } from '../../domain/assignment/assignment-notes.ts';
import { buildColumns } from '../../domain/leads/build-columns.ts';
import type { LeadColumns } from '../../domain/leads/build-columns.ts';
import { decideLeadChange } from '../../domain/leads/lead-change.ts';
import type { LeadChange } from '../../domain/leads/lead-change.ts';
import type { Columns } from '../../domain/leads/columns.ts';
import { unresolvedValues, joinedLists } from '../../domain/leads/unresolved-values.ts';
import { NO_QUIZ } from '../../domain/quiz/quiz-plan.ts';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import type { Database, Sql } from '../../store/db/database.ts';
import { assignmentStateOf } from '../../store/assignment/record-transition.ts';
import { lockPeopleAndLead } from '../../store/leads/lock-people.ts';
import { readLeadChangeInputs } from '../../store/leads/read-lead-change.ts';
import type { LeadChangeInputs } from '../../store/leads/read-lead-change.ts';
import { buildTimelineRow } from '../../store/leads/timeline-rows.ts';
import { changeLead } from '../../store/leads/write-lead.ts';
import { payloadOf } from './apply-submission.ts';
import { buildLeadChange, concernsWorkflow } from './change-rows.ts';
import { lookupKeys } from './lookup-keys.ts';
import { INTAKE_RETRIES } from './request.ts';
import { outboxRow } from './rows.ts';

export interface ResolveRequest {
  /** As it stands after the lists have grown. */
  reference: Reference;
  /** Who made them grow. */
  author: string;
  now: Date;
  newId: () => string;
}

/** Null for a lead of which nothing matches yet. */
export function resolveLead(
  database: Database,
  request: ResolveRequest,
  leadId: string,
): Promise<LeadChange | null> {
  return database.transaction(
    async (sql) => {
      await lockPeopleAndLead(sql, [], leadId);
      const resolved = await readAndDecide(sql, request.reference, leadId);
      if (!resolved) return null;
      await changeLead(sql, leadId, rowsOf(request, resolved));
      return resolved.leadChange;
    },
    { retries: INTAKE_RETRIES },
  );
}

/** Whether `resolveLead` would find something; nothing is locked or changed. */
export async function isResolvable(
  sql: Sql,
  reference: Reference,
  leadId: string,
): Promise<boolean> {
  return (await readAndDecide(sql, reference, leadId)) !== null;
}

interface Resolved {
  found: LeadChangeInputs;
  leadChange: LeadChange;
}

async function readAndDecide(
  sql: Sql,
  reference: Reference,
  leadId: string,
): Promise<Resolved | null> {
  const flagged = await readLeadChangeInputs(sql, leadId, NO_QUESTIONS);
  if (!flagged?.lead.intake_unresolved) return null;
  const current = payloadOf(flagged.lead);
  const enquiry = unresolvedValues(flagged.lead.intake_unresolved, current);
  const found = await readLeadChangeInputs(sql, leadId, lookupKeys(enquiry));
  if (!found) return null;
  const facts = { kind: 'update', reference, current, listings: found.listings } as const;
  const built = buildColumns(enquiry, { ...facts, block: null, advertisingCampaignId: null });
  const leadChange = decide(found, current, built);
  return leadChange.updatedFields.length > 0 || built.answered.length > 0
    ? { found, leadChange }
    : null;
}

const NO_QUESTIONS = lookupKeys({
  values: new Map(),
  adPlatform: null,
  quiz: null,
  comments: null,
});

function decide({ lead }: LeadChangeInputs, current: Columns, built: LeadColumns): LeadChange {
  return decideLeadChange({
    kind: 'update',
    current,
    intakeUnresolved: lead.intake_unresolved,
    assignment: assignmentStateOf(lead),
    built: { ...built, columns: joinedLists(built.columns, current) },
    quiz: NO_QUIZ,
    isBlockStored: false,
    newPhones: [],
    newEmails: [],
    addedComments: 0,
  });
}

function rowsOf({ author, now, newId }: ResolveRequest, { found, leadChange }: Resolved) {
  const { lead } = found;
  const { updatedFields, rerouted } = leadChange;
  const what = updatedFields.length > 0 ? updatedFields.join(', ') : 'nothing new';
  const ending = rerouted ? SENT_BACK : '';
  const text = `An import by ${author} resolved what was sent earlier: ${what}.${ending}`;
  const note = { leadId: lead.id, now, newId, kind: 'resolved', text };
  return {
    ...buildLeadChange(lead, leadChange, now),
    timeline_notes: [buildTimelineRow({ ...note, data: { fields: updatedFields } })],
    lead_outbox: concernsWorkflow(lead, leadChange) ? [outboxRow(lead.id, 'resolved', now)] : [],
  };
}
