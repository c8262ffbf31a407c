/**
 * The vocabulary of routing, in reading order: what is known of a lead, the rules it is held against,
 * who could take it, and what comes out with its reasons. All of it is plain JSON.
 */
export type { LeadFacts, LeadLocation, BudgetRange } from './lead-facts.ts';
export type { Condition, ConditionField } from './condition-schema.ts';
export type {
  FollowUpRule,
  Eligibility,
  OnExhausted,
  Rule,
  Ruleset,
  Strategy,
  Target,
} from './rule-schema.ts';
export type { Roster, RosterAgent, Team, TeamMember } from './roster.ts';
export type { WorkingHours } from './working-hours.ts';
export type { CreditChange, Decision, Defaults, FollowUp, Reassignment } from './decision.ts';
export type {
  AgentVerdict,
  CreditStep,
  Explanation,
  FailedCondition,
  ExclusionReason,
  Load,
  RuleTrace,
  Selection,
} from './explanation.ts';
export type { Candidates } from './candidates.ts';
export type { PastLead } from './what-if.ts';
export type { Comparison, Outcome } from './compare-outcomes.ts';
export type { Destination } from './destination.ts';
export type { Share } from './distribution.ts';
