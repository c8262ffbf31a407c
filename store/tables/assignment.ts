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

/** The last row names the active ruleset. */
export const RoutingActivation = table('routing_activations', {
  id: p.integer().primary().autoincrement().generated('identity'),
  ruleset: p.manyToOne(RoutingRuleset).joinColumn('version').name('version'),
  author: p.text(),
  activatedAt: p.datetime(),
});

/** What an operator asked for: for one lead, for all that an agent holds, or for many that nobody holds. */
export const HandOver = table('hand_overs', {
  id: p.uuid().primary(),
  target: p.enum(['agent', 'pool', 'rules', 'nobody']),
  agent: p.manyToOne(Agent).nullable(),
  pool: p.manyToOne(ListEntry).nullable(),
  releasedAgent: p.manyToOne(Agent).nullable(),
  onlyWaiting: p.boolean(),
  movesResponded: p.boolean().default(false),
  movesPersonal: p.boolean(),
  /** Null: in any state. */
  onlyStatuses: p.array().nullable(),
  /** The round and move in which the lead must still be; null: any. */
  onlyRound: p.integer().nullable(),
  onlyMove: p.integer().nullable(),
  /** The time at which the lead must have changed last; null: any. */
  onlyUnchangedSince: p.datetime().nullable(),
  /** The one that it takes back, and the lead for which it did; without a lead it has not, or was refused. */
  undoes: p.uuid().nullable(),
  undoneLead: p.manyToOne(Lead).nullable(),
  liftsExclusion: p.boolean().default(false),
  author: p.text(),
  /** Empty: a leadctl of before `operator_texts` writes its reason here. */
  reason: p.text().nullable(),
  requestedAt: p.datetime(),
});
addIndexes(HandOver, { hand_overs_undoes: ['undoes', 'undoes is not null'] });
HandOver.meta.checks.push(
  { name: 'hand_overs_check', expression: `(target = 'agent') = (agent_id is not null)` },
  { name: 'hand_overs_check1', expression: `(target = 'pool') = (pool_id is not null)` },
);

/** About one lead, or about a request that moved it. An erasure deletes the rows of both. */
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
  /** When the response clock that it started is due; null: it started none. */
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

/** What a decision of the rules was made from, so that it can be computed again. */
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

/** The newest row of a pending lead's round says until when it waits, for the agents of which rule. */
export const LeadWait = table('lead_waits', {
  lead: p.manyToOne(Lead).primary(),
  round: p.integer().primary(),
  ruleName: p.text().primary(),
  /** When the lead began to wait in this round. */
  since: p.datetime(),
  decidedAt: p.datetime().index('lead_waits_decided'),
  dueAt: p.datetime(),
  endsAt: p.datetime(),
  reason: p.text(),
  ...decisionInputs,
  /** Null, like the explanation, once it is not kept any longer. */
  roster: p.json<Roster>().nullable(),
  explanation: p.json<Explanation>().nullable(),
  handOver: p.manyToOne(HandOver).nullable(),
});

/** The leads that wait for an agent: each once, in the order in which it began to. */
export const WaitingLead = table('waiting_leads', {
  lead: p.manyToOne(Lead).primary(),
  since: p.datetime(),
  /** When an agent may be able to take it, or its wait is over. */
  dueAt: p.datetime().index('waiting_leads_due'),
  /** The teams and the agents, members of the teams included, of all rules that match it. */
  teamIds: p.array().columnType('uuid[]'),
  agentIds: p.array().columnType('uuid[]'),
  /** The import or change of the rules as of which it was decided; 0: it is not decided yet. */
  referenceVersion: p.bigint('number').defaultRaw('0').index('waiting_leads_reference'),
});
addIndexes(WaitingLead, { waiting_leads_order: [['since', 'lead']] });

/** Agents who may be free for a waiting lead. */
export const WaitingWakeup = table('waiting_wakeups', {
  id: p.bigint('number').columnType('bigint').primary().autoincrement().generated('identity'),
  agent: p.manyToOne(Agent),
});

/** Which worker does what only one of them does at a time. */
export const WorkerLease = table('worker_leases', {
  name: p.text().primary(),
  holder: p.uuid(),
  expiresAt: p.datetime(),
});
