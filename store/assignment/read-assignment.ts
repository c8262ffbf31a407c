import type { AssignmentStatus, DecidedBy } from '../../domain/assignment/assignment-cause.ts';
import type { Explanation } from '../../domain/routing/decision.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import { type Database, SNAPSHOT, type Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { IS_END_BEFORE_WAIT, WAIT_OF_LEAD } from '../leads/waiting-leads.ts';
import { agentAsJson } from '../routing/agents.ts';

/** Without `leads:all` a client sees only leads that it created or merged into. */
export interface Reader {
  id: string;
  scopes: ReadonlySet<string>;
}

interface VisibleLead {
  leadId: string;
  readerId: string;
  seesEveryLead: boolean;
}

function visibleLead(leadId: string, { id, scopes }: Reader): VisibleLead {
  return { leadId, readerId: id, seesEveryLead: scopes.has('leads:all') };
}

const VISIBLE = `(:seesEveryLead::boolean or exists (
  select from lead_access a where a.lead_id = l.id and a.client_id = :readerId::uuid))`;

interface LeadAssignment {
  leadId: string;
  status: AssignmentStatus;
  createdAt: Date;
  agent: AgentView | null;
  isWaiting: boolean;
}

/** Null also if this reader may not see the lead. */
export function readAssignment(sql: Sql, leadId: string, reader: Reader) {
  return sql.first(READ_ASSIGNMENT, visibleLead(leadId, reader));
}

const READ_ASSIGNMENT = statement<VisibleLead, LeadAssignment>('read_assignment')`
select l.id as "leadId", l.assignment_status as status, l.created_at as "createdAt", ${agentAsJson('g')} as agent,
  l.assignment_status = 'pending' and exists (${WAIT_OF_LEAD}) as "isWaiting"
from leads l left join agents g on g.id = l.owner_id
where l.id = :leadId and ${VISIBLE}`;

export async function canSee(sql: Sql, leadId: string, reader: Reader): Promise<boolean> {
  return (await sql.first(FIND_VISIBLE_LEAD, visibleLead(leadId, reader))) !== null;
}

const FIND_VISIBLE_LEAD = statement<VisibleLead, { id: string }>('find_visible_lead')`
select l.id from leads l where l.id = :leadId and ${VISIBLE}`;

interface ClaimState {
  status: AssignmentStatus;
  isHeld: boolean;
  isRecorded: boolean;
}

/** Null if no claim has this id. */
export async function isClaimRecorded(sql: Sql, claim: Claim): Promise<boolean | null> {
  return (await sql.first(COMPARE_CLAIM, claim))?.isSame ?? null;
}

interface Claim {
  claimId: string;
  leadId: string;
  agentId: string;
}

const COMPARE_CLAIM = statement<Claim, { isSame: boolean }>('compare_claim')`
select lead_id = :leadId::uuid and agent_id = :agentId::uuid as "isSame"
from assignments where claim_id = :claimId`;

/** Null if the lead does not exist. */
export function readClaimState(sql: Sql, leadId: string, claimId: string) {
  return sql.first(READ_CLAIM_STATE, { leadId, claimId });
}

const READ_CLAIM_STATE = statement<Omit<Claim, 'agentId'>, ClaimState>('read_claim_state')`
select l.assignment_status as status, l.owner_id is not null as "isHeld",
  exists (select from assignments a where a.claim_id = :claimId) as "isRecorded"
from leads l where l.id = :leadId`;

export interface AssignmentEntry {
  round: number;
  move: number;
  status: Exclude<AssignmentStatus, 'pending'> | 'waiting';
  agent: string | null;
  previousAgent: string | null;
  pool: string | null;
  decidedBy: DecidedBy;
  ruleName: string | null;
  rulesetVersion: number | null;
  reason: string;
  decidedAt: Date;
  handOver: { id: string; author: string; reason: string | null; isUndo: boolean } | null;
  /** Null if no rule decided, but a listing's agent, `assignedBy`, a claim or an operator. */
  explanation: Explanation | null;
}

export async function readAssignmentHistory(sql: Sql, leadId: string): Promise<AssignmentEntry[]> {
  return sql.all(READ_ASSIGNMENT_HISTORY, { leadId });
}

const agentName = (column: string) => `(select name from agents where id = a.${column})`;

const handOver = (row: string) => `(
  select jsonb_build_object('id', h.id, 'author', h.author,
    'isUndo', h.undoes is not null, 'reason', (select text from operator_texts where hand_over_id = h.id))
  from hand_overs h where h.id = ${row}.hand_over_id)`;

const READ_ASSIGNMENT_HISTORY = statement<{ leadId: string }, AssignmentEntry>(
  'read_assignment_history',
)`
select a.round, a.move, a.status, ${agentName('agent_id')} as agent,
  ${agentName('previous_agent_id')} as "previousAgent",
  (select name from list_entries where id = a.pool_id) as pool,
  a.decided_by as "decidedBy", a.rule_name as "ruleName", a.ruleset_version as "rulesetVersion",
  a.reason, a.decided_at as "decidedAt", d.explanation,
  ${handOver('a')} as "handOver"
from assignments a left join routing_decisions d on d.assignment_id = a.id
where a.lead_id = :leadId
union all
select w.round, 0, 'waiting', null, null, null, case when w.hand_over_id is null then 'rules' else 'operator' end,
  w.rule_name, w.ruleset_version, w.reason, w.decided_at, w.explanation, ${handOver('w')}
from lead_waits w where w.lead_id = :leadId
order by round, move, "decidedAt"`;

interface PlacedLead {
  round: number;
  move: number;
  isPersonal: boolean;
  updatedAt: Date;
  respondedAt: Date | null;
  enquiredAt: Date;
}

type PlaceTerms = Pick<AssignmentEntry, 'round' | 'move' | 'status' | 'decidedBy' | 'decidedAt'>;

export interface PlaceChange extends PlaceTerms {
  agentId: string | null;
  poolId: string | null;
  handOver: { id: string; author: string; isUndo: boolean } | null;
}

export type LastChanges = NonNullable<Awaited<ReturnType<typeof readLastChanges>>>;

/** Null if the lead does not exist. A round without a change of its own began with new details. */
export function readLastChanges(database: Database, leadId: string) {
  return database.transaction(async (sql) => {
    const lead = await sql.first(READ_PLACED_LEAD, { leadId });
    if (!lead) return null;
    const changes = await readPlaceChanges(sql, leadId);
    return { ...lead, isResponded: lead.respondedAt !== null, changes };
  }, SNAPSHOT);
}

const READ_PLACED_LEAD = statement<{ leadId: string }, PlacedLead>('read_placed_lead')`
select round, moves as move, is_personal as "isPersonal", updated_at as "updatedAt",
  agent_responded_at as "respondedAt",
  (select max(received_at) from submissions where lead_id = :leadId) as "enquiredAt"
from leads where id = :leadId`;

/** False for the end of an assignment before a wait. */
export const IS_PLACED = `not ${IS_END_BEFORE_WAIT}`;

type PlaceChangeRow = Omit<PlaceChange, 'handOver'> & {
  handOverId: string | null;
  author: string | null;
  undoes: string | null;
};

async function readPlaceChanges(sql: Sql, leadId: string): Promise<PlaceChange[]> {
  const rows = await sql.all(READ_PLACE_CHANGES, { leadId });
  return rows.map(({ handOverId, author, undoes, ...change }) => ({
    ...change,
    handOver:
      handOverId === null || author === null
        ? null
        : { id: handOverId, author, isUndo: undoes !== null },
  }));
}

/** Newest first. The last wait of each round has the time of the operator's request, not of the last decision. */
const READ_PLACE_CHANGES = statement<{ leadId: string }, PlaceChangeRow>('read_place_changes')`
select a.round, a.move, a.status, a.agent_id as "agentId", a.pool_id as "poolId",
  a.decided_by as "decidedBy", a.decided_at as "decidedAt", h.id as "handOverId", h.author, h.undoes
from assignments a left join hand_overs h on h.id = a.hand_over_id
where a.lead_id = :leadId and ${IS_PLACED}
union all (
select distinct on (w.round) w.round, 0, 'waiting', null, null,
  case when w.hand_over_id is null then 'rules' else 'operator' end,
  coalesce(h.requested_at, w.decided_at) as "decidedAt", h.id, h.author, h.undoes
from lead_waits w left join hand_overs h on h.id = w.hand_over_id
where w.lead_id = :leadId order by w.round desc, "decidedAt" desc)
order by round desc, move desc, "decidedAt" desc limit 2`;
