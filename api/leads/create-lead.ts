import { blockText } from '../../domain/leads/ad-platform.ts';
import { contactPointsOfEnquiry } from '../../domain/leads/enquiry.ts';
import { mergeTarget, type MatchedOn } from '../../domain/leads/merge-window.ts';
import { resolvedSource } from '../../domain/leads/lookup-semantics.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import type { Database, Sql } from '../../store/db/database.ts';
import { lookupKeys } from '../../store/leads/enquiry-facts.ts';
import { INTAKE_RETRIES, lockKeys, lockPeople } from '../../store/leads/lock-people.ts';
import { buildNewLeadRows } from '../../store/leads/new-lead-rows.ts';
import { readIntakeFacts } from '../../store/leads/read-intake.ts';
import { insertLead } from '../../store/leads/write-lead.ts';
import {
  countComments,
  type CommentCount,
  type LeadRecordFacts,
} from '../responses/lead-record.ts';
import { applySubmission } from './apply-submission.ts';
import { decideNewLead, type DecidedLead, type NewLeadInputs } from './decide-new-lead.ts';
import type { IntakeRequest } from './request.ts';
import { resolveEnquiry } from './resolve-enquiry.ts';

export type CreateOutcome =
  | {
      kind: 'created';
      record: LeadRecordFacts;
      comments: CommentCount | null;
      outboxId: number | null;
    }
  | {
      kind: 'merged';
      leadId: string;
      matchedOn: MatchedOn;
      assignedTo: AgentView | null;
      comments: CommentCount | null;
    };

/**
 * One READ COMMITTED transaction: the people are locked before anything is read, so that two simultaneous
 * enquiries of one person make one lead.
 */
export async function createLead(
  database: Database,
  request: IntakeRequest,
): Promise<CreateOutcome> {
  const { enquiry, now } = request;
  const contactPoints = contactPointsOfEnquiry(enquiry);
  const isPortal = comesFromPortal(request);
  return database.transaction<CreateOutcome>(
    async (sql) => {
      await lockPeople(sql, lockKeys(enquiry, contactPoints));
      const facts = await readIntakeFacts(sql, { ...lookupKeys(enquiry), contactPoints, now });
      const target = mergeTarget(contactPoints, facts.openLeads, isPortal);
      if (!target) return insertNewLead(sql, request, { facts, contactPoints, isPortal });
      const { assignedTo, comments } = await applySubmission(sql, request, target.leadId, 'merge');
      return { kind: 'merged', ...target, assignedTo, comments };
    },
    { retries: INTAKE_RETRIES },
  );
}

/** Enquiries from property portals never merge (merge rule 2). */
function comesFromPortal({ enquiry, reference }: IntakeRequest): boolean {
  const sourceId = resolvedSource(enquiry, reference, null);
  return sourceId !== null && reference.lists.source.byId(sourceId)?.portal === true;
}

async function insertNewLead(
  sql: Sql,
  request: IntakeRequest,
  inputs: NewLeadInputs,
): Promise<CreateOutcome> {
  const { caller, now, newId, body } = request;
  const start = { kind: 'create', current: {} } as const;
  const resolved = await resolveEnquiry(sql, request, inputs.facts, start);
  const newLead = decideNewLead(request, inputs, resolved);
  const leadId = newLead.lead.id;
  const submission = { id: newId(), leadId, clientId: caller.id, receivedAt: now, body };
  const rows = buildNewLeadRows(newLead, { leadId, submissionId: submission.id, now, newId });
  const outboxId = await insertLead(sql, rows, { ...submission, kind: 'create' });
  const record = toRecordFacts(request, newLead);
  return { kind: 'created', record, comments: countComments(newLead.comments), outboxId };
}

function toRecordFacts({ enquiry, reference }: IntakeRequest, newLead: DecidedLead) {
  const { lead, block, campaign, listing, ownership, transition } = newLead;
  return {
    lead,
    reference,
    adPlatform: block?.block ?? null,
    quiz: enquiry.quiz?.block ?? null,
    campaignName: campaign?.name ?? blockText(block?.block, 'adPlatformCampaignId'),
    listing: listing && { id: listing.id, name: listing.referenceNo },
    assignedBy: ownership.named && { id: ownership.named.id, name: ownership.named.name },
    assignedTo: transition.holder.kind === 'agent' ? transition.holder.agent : null,
  };
}
