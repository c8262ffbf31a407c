import PQueue from 'p-queue';
import { comesFromPortal, type MatchedOn, mergeTarget } from '../../domain/leads/merge.ts';
import { createBatcher } from '../../store/db/batcher.ts';
import { type Database, isUnavailable, type TransactionSql } from '../../store/db/database.ts';
import {
  INTAKE_RETRIES,
  type IntakeFacts,
  lockKeys,
  lockPeople,
  readIntakeFacts,
  tryLockPeople,
} from '../../store/leads/intake-facts.ts';
import { buildNewLeadRows } from '../../store/leads/lead-rows.ts';
import { insertLeads, wasCommitted } from '../../store/leads/write-lead.ts';
import { createRequestLimiter } from '../auth/request-limiter.ts';
import { tooBusy } from '../errors.ts';
import {
  applySubmission,
  type IntakeRequest,
  NO_LEAD,
  resolveEnquiry,
  resolveKnownEnquiry,
  type SubmissionOutcome,
} from './apply-submission.ts';
import { type DecidedLead, decideNewLead } from './decide-new-lead.ts';

export type CreateOutcome =
  | { kind: 'created'; lead: DecidedLead; outboxId: number | null }
  | (SubmissionOutcome & { kind: 'merged'; matchedOn: MatchedOn });

type Create = ReturnType<typeof prepareCreate>;

/** `lateAtMs`, on the clock of `performance.now()`: refused if written only after that. */
export function prepareCreate(request: IntakeRequest, lateAtMs: number, isGone = () => false) {
  const { enquiry, reference } = request;
  const named = lockKeys(enquiry);
  // Without a contact point, a lock of its own shows the end of the transaction.
  const keys = named.length > 0 ? named : [`submission:${request.submission.id}`];
  return { request, keys, lateAtMs, isGone, isPortal: comesFromPortal(enquiry, reference) };
}

const isLate = ({ lateAtMs }: Create) => performance.now() > lateAtMs;

function refuseIfLate(create: Create): void {
  if (isLate(create)) throw tooBusy('The request waited too long for the database.');
}

interface CommitMode {
  /** For each create, true if all of its customers are locked. */
  lock: (sql: TransactionSql, keys: readonly string[][]) => Promise<boolean[]>;
  decide: (
    sql: TransactionSql,
    create: Create,
    facts: IntakeFacts,
  ) => Promise<CreateOutcome> | CreateOutcome | null;
  locked: 'skip' | 'wait';
  retries: number;
}

const ALONE: CommitMode = {
  locked: 'wait',
  retries: INTAKE_RETRIES,
  async lock(sql, keys) {
    await lockPeople(sql, keys.flat());
    return keys.map(() => true);
  },
  async decide(sql, create, facts) {
    refuseIfLate(create);
    const { request, isPortal } = create;
    const target = mergeTarget(request.enquiry.contactPoints, facts.openLeads, isPortal);
    if (!target) {
      const resolved = await resolveEnquiry(sql, request, facts, NO_LEAD);
      refuseIfLate(create); // it may have waited for its quiz and its campaign
      return toCreated(decideNewLead(request, { facts, isPortal }, resolved));
    }
    const merged = await applySubmission(sql, request, target.leadId, target.matchedOn);
    // Under these locks, an erasure would have removed the lead from the merge targets.
    if (!merged) throw new Error('A lead that was erased still takes merges.');
    return { kind: 'merged', ...merged, ...target };
  },
};

const IN_GROUP: CommitMode = {
  locked: 'skip',
  retries: 0,
  lock: tryLockPeople,
  /** Null if a statement is needed, or if it is too late. */
  decide(_sql, create, facts) {
    const { request, isPortal } = create;
    if (facts.hasLockedWindow || isLate(create)) return null;
    if (mergeTarget(request.enquiry.contactPoints, facts.openLeads, isPortal)) return null;
    const resolved = resolveKnownEnquiry(request, facts, NO_LEAD);
    return resolved && toCreated(decideNewLead(request, { facts, isPortal }, resolved));
  },
};

function toCreated(lead: DecidedLead): CreateOutcome {
  return { kind: 'created', lead, outboxId: null };
}

export async function createLead(database: Database, create: Create): Promise<CreateOutcome> {
  if (create.isGone()) throw tooBusy('The caller has gone away.');
  const [outcome] = await commitCreates(database, [create], ALONE);
  return outcome ?? createLead(database, create);
}

/** Locks before it reads, so that two concurrent enquiries of a customer make one lead. Null: not committed. */
async function commitCreates(database: Database, creates: readonly Create[], mode: CommitMode) {
  const keys = creates.map((create) => create.keys);
  let outcomes: (CreateOutcome | null)[] = [];
  try {
    await database.transaction(async (sql) => {
      const [locked, facts] = await Promise.all([
        mode.lock(sql, keys),
        readIntakeFacts(sql, creates.map(factKeys), mode),
      ]);
      const decisions = creates.map((create, index) => {
        const known = facts[index];
        return known && locked[index] ? mode.decide(sql, create, known) : null;
      });
      outcomes = await Promise.all(decisions);
      await insertNewLeads(sql, creates, outcomes);
    }, mode);
  } catch (error) {
    const ids = creates.map(({ request }) => request.submission.id);
    const people = keys.flat();
    const isStored = await wasCommitted(database, error, ids, (sql) => lockPeople(sql, people));
    if (!isStored) return creates.map(() => null);
  }
  return outcomes;
}

function factKeys({ request: { enquiry, now } }: Create) {
  return { ...enquiry.keys, contactPoints: enquiry.contactPoints, now };
}

async function insertNewLeads(
  sql: TransactionSql,
  creates: readonly Create[],
  outcomes: readonly (CreateOutcome | null)[],
): Promise<void> {
  const created = outcomes.map((outcome) => (outcome?.kind === 'created' ? outcome : null));
  const rows = creates.flatMap(({ request: { submission, now, newId } }, index) => {
    const lead = created[index]?.lead;
    const context = { submission: { ...submission, kind: 'create' }, now, newId } as const;
    return lead ? [buildNewLeadRows(lead, { ...context, leadId: lead.lead.id })] : [];
  });
  if (rows.length === 0) return;
  const inserted = await insertLeads(sql, rows);
  const outboxIds = new Map(inserted.map(({ leadId, outboxId }) => [leadId, outboxId]));
  for (const outcome of created)
    if (outcome) outcome.outboxId = outboxIds.get(outcome.lead.lead.id) ?? null;
}

/** Larger groups save little, and other clients wait for the group that one client fills. */
const MAX_GROUP = 32;
/** These may wait for each other's locks, so that groups and other requests need connections of their own. */
const MAX_ALONE = 8;
const MAX_OPEN = 1000;
/** With the last statement, of ten seconds at most, half a minute: then a caller looks for the lead. */
const LATE_AFTER_MS = 20_000;

/** `startedMs` is on the clock of `performance.now()`. */
export type GroupCommit = (
  request: IntakeRequest,
  caller: { startedMs: number; isGone: () => boolean },
) => Promise<CreateOutcome>;

/** Concurrent enquiries share a transaction. No two of a group share a customer, so that none depends on another. */
export function createGroupCommit(
  database: Database,
  { lateAfterMs = LATE_AFTER_MS } = {},
): GroupCommit {
  const share = createBatcher(commitGroup, {
    max: MAX_GROUP,
    keysOf: ({ keys }) => keys,
    ownerOf: ({ request }) => request.caller.id,
  });
  const queue = new PQueue({ concurrency: MAX_ALONE });
  const inTurn = createRequestLimiter({ places: MAX_ALONE, maxWaitMs: Infinity });
  const alone = (create: Create) => {
    const turn = { clientId: create.request.caller.id, isGone: create.isGone };
    return inTurn(turn, () => queue.add(() => createLead(database, create)));
  };
  let open = 0;
  const openOf = new Map<string, number>();
  const countOf = (clientId: string) => openOf.get(clientId) ?? 0;

  async function commitGroup(group: readonly Create[]) {
    const awaited = group.filter(({ isGone }) => !isGone());
    try {
      const outcomes = await commitCreates(database, awaited, IN_GROUP);
      const committed = new Map(awaited.map((create, index) => [create, outcomes[index]]));
      return group.map((create) => committed.get(create) ?? alone(create));
    } catch (error) {
      if (isUnavailable(error)) throw error;
      return group.map(alone);
    }
  }

  return async (request, { startedMs, isGone }) => {
    const { id } = request.caller;
    // A client below its share is let in even if others hold all slots.
    if (open >= MAX_OPEN && countOf(id) >= MAX_OPEN / openOf.size)
      throw tooBusy('Too many leads are being created at this moment.');
    open += 1;
    openOf.set(id, countOf(id) + 1);
    try {
      return await share(prepareCreate(request, startedMs + lateAfterMs, isGone));
    } finally {
      open -= 1;
      openOf.set(id, countOf(id) - 1);
      if (countOf(id) === 0) openOf.delete(id);
    }
  };
}
