import type { Database, TransactionSql } from '../../store/db/database.ts';
import { lookupKeys } from '../../store/leads/enquiry-facts.ts';
import { INTAKE_RETRIES, lockPeople, tryLockPeople } from '../../store/leads/lock-people.ts';
import { buildNewLeadRows } from '../../store/leads/new-lead-rows.ts';
import { readIntakeFacts, type IntakeFacts } from '../../store/leads/read-intake.ts';
import { insertLeads } from '../../store/leads/write-lead.ts';
import {
  decideAlone,
  decideInGroup,
  type Create,
  type CreateOutcome,
  type Decided,
} from './decide-create.ts';
import { submissionOf } from './intake-request.ts';
import { wasCommitted } from './lost-commit.ts';

/** Waits for everybody who has locked the same people; may run any statement. */
export async function createLead(database: Database, create: Create): Promise<CreateOutcome> {
  const [outcome] = await commitCreates(database, [create], {
    lock: async (sql) => {
      await lockPeople(sql, create.keys);
      return [true];
    },
    decide: decideAlone,
    locked: 'wait',
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
  return commitCreates(database, creates, {
    lock,
    decide: decideInGroup,
    locked: 'skip',
    retries: 0,
  });
}

type Decide = (
  sql: TransactionSql,
  create: Create,
  facts: IntakeFacts,
) => Promise<Decided> | Decided | null;

/**
 * One READ COMMITTED transaction: the people are locked before anything is read, so that two simultaneous
 * enquiries of one person make one lead. When the connection is lost during the commit, the submissions
 * show whether it happened; null for all where it did not.
 */
async function commitCreates(
  database: Database,
  creates: readonly Create[],
  options: {
    lock: (sql: TransactionSql) => Promise<boolean[]>;
    decide: Decide;
    /** What becomes of an ended merge window that another transaction has locked. */
    locked: 'skip' | 'wait';
    retries: number;
  },
): Promise<(CreateOutcome | null)[]> {
  let decided: (Decided | null)[] = [];
  try {
    await database.transaction(async (sql) => {
      const [locked, facts] = await Promise.all([
        options.lock(sql),
        readIntakeFacts(sql, creates.map(factKeys), options),
      ]);
      const decisions = creates.map((create, index) => {
        const known = facts[index];
        return known && locked[index] ? options.decide(sql, create, known) : null;
      });
      decided = await Promise.all(decisions);
      await insertNewLeads(sql, decided);
    }, options);
  } catch (error) {
    const keys = [...new Set(creates.flatMap((create) => create.keys))];
    const ids = creates.map(({ request }) => request.submissionId);
    const isStored = await wasCommitted(database, error, ids, (sql) => lockPeople(sql, keys));
    if (!isStored) return creates.map(() => null);
  }
  return decided.map((each) => each && each.outcome);
}

function factKeys({ request: { enquiry, now }, contactPoints }: Create) {
  return { ...lookupKeys(enquiry), contactPoints, now };
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
