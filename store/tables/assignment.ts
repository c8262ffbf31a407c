import { p } from '@mikro-orm/core';
import type { LeadFacts } from '../../domain/routing/condition.ts';
import type { Explanation } from '../../domain/routing/decision.ts';
import type { FollowUp } from '../../domain/routing/follow-up.ts';
import type { Roster } from '../../domain/routing/roster.ts';
import type { Rule } from '../../domain/routing/rules.ts';
import { Agent } from './agents.ts';
import { Lead } from './leads.ts';
import { ListEntry } from './lists.ts';
import { addIndexes, addUniqueIndex, table } from './table.ts';

export const RoutingRuleset = table('routing_rulesets', {
  version: p.integer().primary().autoincrement().generated('identity'),
  rules: p.json<Rule[]>(),
  contentHash: p.text(),
  author: p.text(),
  createdAt: p.datetime(),
});

/** The last row is the active ruleset. */
export const RoutingActivation = table('routing_activations', {
  id: p.integer().primary().autoincrement().generated('identity'),
  ruleset: p.manyToOne(RoutingRuleset).joinColumn('version').name('version'),
  author: p.text(),
  activatedAt: p.datetime(),
});

/** An operator's request for one lead, all leads of an agent, or many leads without an owner. */
export const HandOver = table('hand_overs', {
  id: p.uuid().primary(),
  target: p.enum(['agent', 'pool', 'rules', 'nobody']),
  agent: p.manyToOne(Agent).nullable(),
  pool: p.manyToOne(ListEntry).nullable(),
  releasedAgent: p.manyToOne(Agent).nullable(),
  onlyWaiting: p.boolean(),
  movesResponded: p.boolean().default(false),
  movesPersonal: p.boolean(),
  onlyStatuses: p.array().nullable(),
  /** The lead must be in this round and move; null: any. */
  onlyRound: p.integer().nullable(),
  onlyMove: p.integer().nullable(),
  /** The lead's last change; null: any. */
  onlyUnchangedSince: p.datetime().nullable(),
  /** The reverted transfer, and the lead for which it was reverted; null before that, or if refused. */
  undoes: p.uuid().nullable(),
  undoneLead: p.manyToOne(Lead).nullable(),
  liftsExclusion: p.boolean().default(false),
  author: p.text(),
  /** Only written by versions of leadctl before `operator_texts`. */
  reason: p.text().nullable(),
  requestedAt: p.datetime(),
});
addIndexes(HandOver, { hand_overs_undoes: ['undoes', 'undoes is not null'] });
HandOver.meta.checks.push(
  { name: 'hand_overs_check', expression: `(target = 'agent') = (agent_id is not null)` },
  { name: 'hand_overs_check1', expression: `(target = 'pool') = (pool_id is not null)` },
);

/** Of a lead, or of a request that moved it. An erasure deletes both. */
export const OperatorText = table('operator_texts', {
  id: p.uuid().primary(),
  lead: p.manyToOne(Lead).nullable().index('operator_texts_lead'),
  handOver: p.manyToOne(HandOver).nullable().unique(),
  author: p.text(),
  writtenAt: p.datetime(),
  text: p.text(),
});
OperatorText.meta.checks.push({
  name: 'operator_texts_check',
  expression: 'num_nonnulls(lead_id, hand_over_id) > 0',
});

export const Assignment = table('assignments', {
  id: p.uuid().primary(),
  lead: p.manyToOne(Lead),
  round: p.integer(),
  move: p.integer(),
  status: p.enum(['assigned', 'unassigned', 'pool']),
  agent: p.manyToOne(Agent).nullable(),
  previousAgent: p.manyToOne(Agent).nullable(),
  pool: p.manyToOne(ListEntry).nullable(),
  decidedBy: p.enum(['rules', 'listing', 'assigned_by', 'follow_up', 'claim', 'operator']),
  ruleName: p.text().nullable(),
  ruleset: p.manyToOne(RoutingRuleset).nullable().name('ruleset_version'),
  reason: p.text(),
  followUp: p.json<FollowUp>().nullable(),
  followUpDueAt: p.datetime().nullable(),
  claimId: p.text().nullable().unique(),
  handOver: p.manyToOne(HandOver).nullable(),
  decidedAt: p.datetime().index('assignments_decided'),
});
Assignment.addUnique({ properties: ['lead', 'round', 'move'] });
addUniqueIndex(Assignment, {
  assignments_hand_over: [['handOver', 'lead'], 'hand_over_id is not null'],
});
addIndexes(Assignment, {
  assignments_agent_day: [['agent', 'decidedAt'], 'agent_id is not null'],
});

/** Allows the decision to be recomputed. */
const decisionInputs = {
  ruleset: p.manyToOne(RoutingRuleset).name('ruleset_version'),
  facts: p.json<LeadFacts>(),
  factsHash: p.text(),
  roster: p.json<Roster>(),
  rosterHash: p.text(),
};

export const RoutingDecision = table('routing_decisions', {
  assignment: p.manyToOne(Assignment).primary(),
  ...decisionInputs,
  explanation: p.json<Explanation>(),
});

/** The newest row of the round applies: the end of the wait and its rule. */
export const LeadWait = table('lead_waits', {
  lead: p.manyToOne(Lead).primary(),
  round: p.integer().primary(),
  ruleName: p.text().primary(),
  since: p.datetime(),
  decidedAt: p.datetime().index('lead_waits_decided'),
  dueAt: p.datetime(),
  endsAt: p.datetime(),
  reason: p.text(),
  ...decisionInputs,
  /** Null after its retention, like the explanation. */
  roster: p.json<Roster>().nullable(),
  explanation: p.json<Explanation>().nullable(),
  handOver: p.manyToOne(HandOver).nullable(),
});

/** In the order in which the waits began. */
export const WaitingLead = table('waiting_leads', {
  lead: p.manyToOne(Lead).primary(),
  since: p.datetime(),
  /** An agent may be able to take it, or its wait ends. */
  dueAt: p.datetime().index('waiting_leads_due'),
  /** Of all matching rules, with the members of the teams. */
  teamIds: p.array().columnType('uuid[]'),
  agentIds: p.array().columnType('uuid[]'),
  /** 0: not decided yet. */
  referenceVersion: p.bigint('number').defaultRaw('0').index('waiting_leads_reference'),
});
addIndexes(WaitingLead, { waiting_leads_order: [['since', 'lead']] });

export const WaitingWakeup = table('waiting_wakeups', {
  id: p.bigint('number').columnType('bigint').primary().autoincrement().generated('identity'),
  agent: p.manyToOne(Agent),
});

/** For work that only one worker does at a time. */
export const WorkerLease = table('worker_leases', {
  name: p.text().primary(),
  holder: p.uuid(),
  expiresAt: p.datetime(),
});
