import { p } from '@mikro-orm/core';
import type { Explanation } from '../../domain/routing/explanation.ts';
import type { FollowUp } from '../../domain/routing/follow-up.ts';
import type { LeadFacts } from '../../domain/routing/lead-facts.ts';
import type { Roster } from '../../domain/routing/roster.ts';
import { Agent } from './agents.ts';
import { Lead } from './leads.ts';
import { ListEntry } from './lists.ts';
import { RoutingRuleset } from './routing.ts';
import { addIndex, table } from './table.ts';

/** One row for each change of a lead's agent, pool or round. */
export const Assignment = table('assignments', {
  id: p.uuid().primary(),
  lead: p.manyToOne(Lead),
  round: p.integer(),
  move: p.integer(),
  status: p.enum(['assigned', 'unassigned', 'pool']),
  agent: p.manyToOne(Agent).nullable(),
  previousAgent: p.manyToOne(Agent).nullable(),
  pool: p.manyToOne(ListEntry).nullable(),
  decidedBy: p.enum(['rules', 'listing', 'assigned_by', 'follow_up', 'claim']),
  ruleName: p.text().nullable(),
  ruleset: p.manyToOne(RoutingRuleset).nullable().name('ruleset_version'),
  reason: p.text(),
  followUp: p.json<FollowUp>().nullable(),
  claimId: p.text().nullable().unique(),
  decidedAt: p.datetime().index('assignments_decided'),
});
Assignment.addUnique({ properties: ['lead', 'round', 'move'] });
addIndex(Assignment, 'assignments_agent_day', ['agent', 'decidedAt'], 'agent_id is not null');

/** What a decision of the rules was made from, so that it can be computed again. */
export const RoutingDecision = table('routing_decisions', {
  assignment: p.manyToOne(Assignment).primary(),
  ruleset: p.manyToOne(RoutingRuleset).name('ruleset_version'),
  facts: p.json<LeadFacts>(),
  factsHash: p.text(),
  roster: p.json<Roster>(),
  rosterHash: p.text(),
  explanation: p.json<Explanation>(),
});
