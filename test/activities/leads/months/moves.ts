import {
  clockDueMs,
  type Agent,
  type FollowUp,
  type Lead,
  type Model,
  type Rule,
  type Undoable,
} from './model.ts';

/** What the events of an assignment change of a lead of the model. */

const MINUTE_MS = 60_000;
export const NO_FOLLOW_UP = { clockDueMs: null, awaitsSuccessor: false };

export function newLead(id: string, placeMs: number): Lead {
  return {
    id,
    status: 'pending',
    moves: 0,
    ownerId: null,
    poolId: null,
    isResponded: false,
    clockDueMs: null,
    givenMs: 0,
    awaitsSuccessor: false,
    rule: null,
    followUp: null,
    heldUntilMs: 0,
    waitsBy: null,
    responderId: null,
    terms: { rule: null, followUp: null },
    undoable: null,
    holders: new Set(),
    taken: new Set(),
    placeMs,
    waits: new Map(),
    toldWaits: new Set(),
  };
}

/** Whom the rules do not give the lead: nobody else any more once the holder has held it for a follow-up. */
export function takenAt({ taken, ownerId, heldUntilMs }: Lead, nowMs: number): Set<string> {
  if (ownerId === null || nowMs < heldUntilMs) return taken;
  return new Set([...taken].filter((id) => id === ownerId));
}

export function beginRound(lead: Lead): void {
  lead.moves = 0;
  lead.holders.clear();
  lead.toldWaits.clear();
}

/** Returns for how long the response clock runs, in ms; 0: none does. */
export function giveLead(
  model: Model,
  lead: Lead,
  { agent, rule, followUp }: { agent: Agent; rule: Rule | null; followUp: FollowUp },
  nowMs: number,
): number {
  addEntry(lead, { rule, followUp }, nowMs);
  const dueMs = clockDueMs(lead, agent, followUp, nowMs);
  lead.status = 'assigned';
  lead.ownerId = agent.id;
  lead.holders.add(agent.id);
  lead.clockDueMs = dueMs;
  lead.givenMs = nowMs;
  lead.heldUntilMs = dueMs ?? nowMs + model.defaultMinutes * MINUTE_MS;
  lead.waits.clear();
  model.assignments.push({ agentId: agent.id, leadId: lead.id, atMs: nowMs, isCounted: true });
  return dueMs === null ? 0 : dueMs - nowMs;
}

/** Null: to nobody. */
export function leaveLead(
  lead: Lead,
  poolId: string | null,
  rule: Rule | null,
  nowMs: number,
): void {
  addEntry(lead, { rule, followUp: null }, nowMs);
  lead.status = poolId === null ? 'unassigned' : 'pool';
  lead.poolId = poolId;
}

function addEntry(lead: Lead, terms: Pick<Lead, 'rule' | 'followUp'>, nowMs: number): void {
  lead.taken = takenAt(lead, nowMs);
  Object.assign(lead, terms, { ownerId: null, poolId: null, ...NO_FOLLOW_UP });
  if (terms.rule || terms.followUp) lead.terms = { rule: terms.rule, followUp: terms.followUp };
}

/** An operator moves it: the rules do not give it back to whom it is taken from. */
export function takeAway(lead: Lead, nowMs: number): void {
  lead.taken = takenAt(lead, nowMs);
  if (lead.ownerId !== null) lead.taken = new Set([...lead.taken, lead.ownerId]);
  beginRound(lead);
  lead.waits.clear();
}

/** The last time that the lead was given to its holder was taken back, or only gave it back. */
export function discount({ assignments }: Model, lead: Lead): void {
  const last = assignments.findLast(({ leadId }) => leadId === lead.id);
  if (last && lead.ownerId !== null) last.isCounted = false;
}

/** An operator takes the last hand-over back: it has taken the lead from nobody, and ended no wait. */
export function undoHandOver(lead: Lead, { ownerId, waits }: Undoable, nowMs: number): void {
  lead.taken = new Set([...takenAt(lead, nowMs)].filter((id) => id !== ownerId));
  beginRound(lead);
  lead.waits = new Map([...waits, ...lead.waits]);
}

/** It is to be routed, or waits: nobody holds it any longer. */
export function openLead(lead: Lead): void {
  if (lead.ownerId !== null) Object.assign(lead, { rule: null, followUp: null });
  Object.assign(lead, { status: 'pending', ownerId: null, poolId: null, ...NO_FOLLOW_UP });
}
