import type { RuleTrace } from '../../../../domain/routing/decision.ts';
import { readTakenFrom } from '../../../../store/assignment/lock-lead.ts';
import { WAIT_OF_LEAD } from '../../../../store/leads/waiting-leads.ts';
import type { Database } from '../../../../store/db/database.ts';
import type { Agent, Decision, Lead, Model, Rule, Verdict } from './model.ts';
import { takenAt } from './moves.ts';

/** What the service has of a lead, beside what the model says. */
export interface StoredLead {
  id: string;
  status: Lead['status'];
  ownerId: string | null;
  holderId: string | null;
  poolId: string | null;
  isResponded: boolean;
  clockDueAt: Date | null;
  decidedBy: RuleTrace[] | null;
  wait: { ruleName: string; version: number; dueAt: string; endsAt: string } | null;
  place: { since: string; dueAt: string } | null;
}

/** A decision has the time of the test, and is a millisecond later for each that its transaction made before. */
const SLACK_MS = 1000;

const READ_LEADS = `
select l.id, l.assignment_status as status, l.owner_id as "ownerId", l.pool_id as "poolId",
  l.agent_responded_at is not null as "isResponded", l.follow_up_due_at as "clockDueAt",
  (select agent_id from assignments where lead_id = l.id order by round desc, move desc limit 1) as "holderId",
  (select d.explanation -> 'rules' from assignments a left join routing_decisions d on d.assignment_id = a.id
   where a.lead_id = l.id order by a.round desc, a.move desc limit 1) as "decidedBy",
  (select jsonb_build_object('ruleName', w.rule_name, 'version', w.ruleset_version, 'dueAt', w.due_at,
     'endsAt', w.ends_at) from (${WAIT_OF_LEAD}) w) as wait,
  (select jsonb_build_object('since', since, 'dueAt', due_at) from waiting_leads where lead_id = l.id) as place
from leads l`;

export async function readRows(database: Database): Promise<Map<string, StoredLead>> {
  const rows = await database.query<StoredLead>(READ_LEADS);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface NextDue {
  leadId: string;
  dueAt: Date;
  /** A response clock; else a place in the queue. */
  isClock: boolean;
}

export const NEXT_DUE = `
select id as "leadId", due_at as "dueAt", is_clock as "isClock" from (
  select id, follow_up_due_at as due_at, true as is_clock from leads where follow_up_due_at is not null
  union all select lead_id, due_at, false from waiting_leads) due
order by due_at, is_clock desc, id limit 1`;

export function expectOutcome(
  decision: Decision,
  { status, ownerId, wait, decidedBy }: StoredLead,
  { active }: Model,
  nowMs: number,
): void {
  const { kind, rule } = decision;
  if (kind === 'waiting') {
    const { dueMs, endsMs } = decision;
    const due = { status: 'pending', ruleName: rule?.name, version: active.version };
    expect({ status, ruleName: wait?.ruleName, version: wait?.version }).toEqual(due);
    expectTime(wait?.endsAt, endsMs);
    // Who looks too early finds that out.
    const dueAtMs = Date.parse(wait?.dueAt ?? '');
    expect(dueAtMs).toBeGreaterThan(nowMs);
    expect(dueAtMs).toBeLessThan(dueMs + SLACK_MS);
    return;
  }
  expect({ status, rule: rule?.name }).toEqual({ status: kind, rule: rule?.name });
  if (kind === 'assigned') expect(decision.eligible.map(({ id }) => id)).toContain(ownerId);
  expectVerdicts(decidedBy, rule, decision.verdicts);
}

/** Nobody looks at a lead before its wait is due, though it could wait by an earlier rule since. */
export function isLeftAlone(
  decision: Decision,
  { waitsBy, toldWaits }: Lead,
  { wait }: StoredLead,
  { active }: Model,
): boolean {
  if (decision.kind !== 'waiting' || wait === null) return false;
  const { rule, dueMs } = decision;
  const isAsBefore = wait.version === active.version && wait.ruleName === waitsBy;
  const isInTime = Date.parse(wait.dueAt) < dueMs + SLACK_MS;
  return isAsBefore && isInTime && rule.name !== waitsBy && toldWaits.has(wait.ruleName);
}

export function expectVerdicts(
  traces: readonly RuleTrace[] | null | undefined,
  rule: Rule | null,
  verdicts: readonly Verdict[],
): void {
  if (!rule) return;
  const trace = traces?.find(({ name }) => name === rule.name);
  expect(trace && verdictsOf(trace)).toEqual(verdicts);
}

function verdictsOf(trace: RuleTrace): readonly Verdict[] {
  if (trace.outcome === 'exhausted') return trace.agents;
  return trace.outcome === 'chosen' && trace.selection.by !== 'pool' ? trace.selection.agents : [];
}

export async function expectLead(
  database: Database,
  lead: Lead,
  row: StoredLead | undefined,
  agents: readonly Agent[],
  time: { now: Date; followUpMs: number },
): Promise<void> {
  const { id, status, ownerId, poolId, isResponded } = lead;
  const isWaiting = status === 'pending';
  const found = { isWaiting: Boolean(row?.wait && row.place), isQueued: Boolean(row?.place) };
  expect({ ...row, ...found }).toMatchObject({
    id,
    status,
    ownerId,
    holderId: ownerId,
    poolId,
    isResponded,
    isWaiting,
    isQueued: isWaiting || lead.awaitsSuccessor,
  });
  expectTime(row?.clockDueAt?.toISOString(), lead.clockDueMs);
  if (row?.place) {
    expectTime(row.place.since, lead.placeMs);
    expect(Date.parse(row.place.dueAt)).toBeGreaterThan(time.now.getTime());
  }
  const isAboutToChange = Math.abs(lead.heldUntilMs - time.now.getTime()) < SLACK_MS;
  if (isAboutToChange) return;
  const taken = await readTakenFrom(database, id, time);
  const isTaken = takenAt(lead, time.now.getTime());
  const emails = agents.filter((agent) => isTaken.has(agent.id)).map(({ email }) => email);
  expect(taken.map(({ email }) => email).toSorted()).toEqual(emails.toSorted());
}

function expectTime(text: string | undefined, expectedMs: number | null): void {
  const ms = text === undefined ? 0 : Date.parse(text);
  expect(Math.abs(ms - (expectedMs ?? 0))).toBeLessThan(SLACK_MS);
}
