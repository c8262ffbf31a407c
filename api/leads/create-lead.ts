import { blockText } from '../../domain/leads/ad-platform.ts';
import { contactPointsOfEnquiry } from '../../domain/leads/enquiry.ts';
import { mergeTarget, type MatchedOn } from '../../domain/leads/merge-window.ts';
import { resolvedSource } from '../../domain/leads/lookup-semantics.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import { isConnectionError } from '../../platform/errors.ts';
import { UnknownCommitError, type Database, type TransactionSql } from '../../store/db/database.ts';
import { lookupKeys } from '../../store/leads/enquiry-facts.ts';
import {
  INTAKE_RETRIES,
  lockKeys,
  lockPeople,
  tryLockPeople,
} from '../../store/leads/lock-people.ts';
import { buildNewLeadRows } from '../../store/leads/new-lead-rows.ts';
import { readIntakeFacts, type IntakeFacts } from '../../store/leads/read-intake.ts';
import { hasSubmission, insertLeads } from '../../store/leads/write-lead.ts';
import {
  countComments,
  type CommentCount,
  type LeadRecordFacts,
} from '../responses/lead-record.ts';
import { applySubmission } from './apply-submission.ts';
import { decideNewLead, type DecidedLead } from './decide-new-lead.ts';
import { submissionOf, type IntakeRequest } from './intake-request.ts';
import { resolveEnquiry, resolveKnownEnquiry } from './resolve-enquiry.ts';

export type CreateOutcome = Created | Merged;

interface Created {
  kind: 'created';
  record: LeadRecordFacts;
  comments: CommentCount | null;
  outboxId: number | null;
}

interface Merged {
  kind: 'merged';
  leadId: string;
  matchedOn: MatchedOn;
  assignedTo: AgentView | null;
  comments: CommentCount | null;
}

/** A create with what its enquiry alone decides. */
export type Create = ReturnType<typeof prepareCreate>;

export function prepareCreate(request: IntakeRequest) {
  const { enquiry } = request;
  const contactPoints = contactPointsOfEnquiry(enquiry);
  const keys = lockKeys(enquiry, contactPoints);
  return { request, contactPoints, keys, isPortal: comesFromPortal(request) };
}

/** Enquiries from property portals never merge (merge rule 2). */
function comesFromPortal({ enquiry, reference }: IntakeRequest): boolean {
  const sourceId = resolvedSource(enquiry, reference, null);
  return sourceId !== null && reference.lists.source.byId(sourceId)?.portal === true;
}

/** Waits for everybody who has locked the same people; may run any statement. */
export async function createLead(database: Database, create: Create): Promise<CreateOutcome> {
  const [outcome] = await commitCreates(database, [create], {
    lock: async (sql) => {
      await lockPeople(sql, create.keys);
      return [true];
    },
    decide: decideAlone,
    retries: INTAKE_RETRIES,
  });
  return outcome ?? createLead(database, create);
}

/**
 * Creates that share no person, in one transaction that waits for nobody. Null for those that need one of
 * their own: somebody else has locked their people, they merge, or they bring a new quiz or advertising
 * campaign.
 */
export async function createLeads(
  database: Database,
  creates: readonly Create[],
): Promise<(CreateOutcome | null)[]> {
  const keys = creates.map((create) => create.keys);
  const lock = (sql: TransactionSql) => tryLockPeople(sql, keys);
  return commitCreates(database, creates, { lock, decide: decideInGroup, retries: 0 });
}

type Decide = (
  sql: TransactionSql,
  create: Create,
  facts: IntakeFacts,
) => Promise<Decided> | Decided | null;

/**
 * One READ COMMITTED transaction: the people are locked before anything is read, so that two simultaneous
 * enquiries of one person make one lead. When the connection is lost during the commit, the submissions
 * tell whether it happened; null for all where it did not.
 */
async function commitCreates(
  database: Database,
  creates: readonly Create[],
  options: {
    lock: (sql: TransactionSql) => Promise<boolean[]>;
    decide: Decide;
    retries: number;
  },
): Promise<(CreateOutcome | null)[]> {
  let decided: (Decided | null)[] = [];
  try {
    await database.transaction(async (sql) => {
      const [locked, facts] = await Promise.all([
        options.lock(sql),
        readIntakeFacts(sql, creates.map(factKeys)),
      ]);
      const decisions = creates.map((create, index) => {
        const known = facts[index];
        return known && locked[index] ? options.decide(sql, create, known) : null;
      });
      decided = await Promise.all(decisions);
      await insertNewLeads(sql, decided);
    }, options);
  } catch (error) {
    if (!(error instanceof UnknownCommitError)) throw error;
    if (!(await areStored(database, creates))) return creates.map(() => null);
  }
  return decided.map((each) => each && each.outcome);
}

function factKeys({ request: { enquiry, now }, contactPoints }: Create) {
  return { ...lookupKeys(enquiry), contactPoints, now };
}

interface Decided {
  outcome: CreateOutcome;
  /** The lead to insert; null for a merge, which is written already. */
  newLead: { request: IntakeRequest; lead: DecidedLead } | null;
}

const START = { kind: 'create', current: {} } as const;

async function decideAlone(
  sql: TransactionSql,
  create: Create,
  facts: IntakeFacts,
): Promise<Decided> {
  const { request } = create;
  const target = mergeTarget(create.contactPoints, facts.openLeads, create.isPortal);
  if (!target) {
    const resolved = await resolveEnquiry(sql, request, facts, START);
    return toCreated(request, decideNewLead(request, { ...create, facts }, resolved));
  }
  const { assignedTo, comments } = await applySubmission(sql, request, target.leadId, 'merge');
  return { outcome: { kind: 'merged', ...target, assignedTo, comments }, newLead: null };
}

/** Runs no statement. */
function decideInGroup(_sql: TransactionSql, create: Create, facts: IntakeFacts): Decided | null {
  const { request } = create;
  if (mergeTarget(create.contactPoints, facts.openLeads, create.isPortal)) return null;
  const resolved = resolveKnownEnquiry(request, facts, START);
  return resolved && toCreated(request, decideNewLead(request, { ...create, facts }, resolved));
}

function toCreated(request: IntakeRequest, lead: DecidedLead): Decided {
  const record = toRecordFacts(request, lead);
  const comments = countComments(lead.comments);
  return {
    outcome: { kind: 'created', record, comments, outboxId: null },
    newLead: { request, lead },
  };
}

/** Ends the transaction; gives the outcomes the ids of their outbox rows. */
async function insertNewLeads(
  sql: TransactionSql,
  decided: readonly (Decided | null)[],
): Promise<void> {
  const newLeads = decided.flatMap((each) => each?.newLead ?? []);
  if (newLeads.length === 0) return;
  const rows = newLeads.map(({ request, lead }) => {
    const { now, newId } = request;
    const submission = submissionOf(request, 'create');
    return buildNewLeadRows(lead, { leadId: lead.lead.id, submission, now, newId });
  });
  const outboxIds = new Map(
    (await insertLeads(sql, rows)).map(({ leadId, outboxId }) => [leadId, outboxId]),
  );
  for (const { outcome } of decided.filter((each) => each !== null))
    if (outcome.kind === 'created')
      outcome.outboxId = outboxIds.get(outcome.record.lead.id) ?? null;
}

/**
 * Waits for the end of the transaction that may have stored them, which holds the locks of its people. With
 * one connection others of the pool are often lost, hence the tries.
 */
async function areStored(
  database: Database,
  creates: readonly Create[],
  tries = 3,
): Promise<boolean> {
  try {
    return await database.transaction(async (sql) => {
      await lockPeople(sql, [...new Set(creates.flatMap(({ keys }) => keys))]);
      const ids = creates.map(({ request }) => request.submissionId);
      return hasSubmission(sql, ids);
    });
  } catch (error) {
    if (tries === 1 || !isConnectionError(error)) throw error;
    return areStored(database, creates, tries - 1);
  }
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
