import type { Condition, ConditionField } from './condition-schema.ts';
import type { Leave, Target } from './rule-schema.ts';

/**
 * Why a decision came out as it did. It is stored for good, so its form has a version and it holds ids of
 * agents, pools and records, never a person's name.
 */
export interface Explanation {
  version: 1;
  /** Every enabled rule, in the order in which they were tried. */
  rules: RuleTrace[];
}

export type RuleTrace = { name: string; order: number; claimed: boolean } & RuleOutcome;

export type RuleOutcome =
  | { outcome: 'not_matched'; failed: FailedCondition[]; why: string }
  | { outcome: 'exhausted'; agents: AgentVerdict[]; then: Leave | null; why: string }
  | ({ outcome: 'waiting'; agents: AgentVerdict[]; why: string } & Wait)
  | { outcome: 'chosen'; target: Target; selection: Selection; why: string }
  | { outcome: 'not_reached' };

export interface Wait {
  /** ISO 8601, as `endsAt`: when somebody can take the lead, as far as is known, or when it waits no longer. */
  dueAt: string;
  /** Who can by then; nobody where it is the end of the wait. */
  awaited: string[];
  endsAt: string;
}

export type FactValue = string | number | boolean | null;

/** The first condition of one alternative that failed; `found` is empty when the lead lacks the field. */
export interface FailedCondition {
  field: ConditionField;
  op: Condition['op'];
  wanted: readonly FactValue[];
  found: readonly FactValue[];
}

export type Selection =
  | { by: 'pool'; poolId: string }
  | ({ by: 'named_agent' } & ChosenAgent)
  | ({ by: 'weighted_round_robin'; arithmetic: CreditStep[] } & ChosenAgent)
  | ({ by: 'least_loaded'; loads: Load[] } & ChosenAgent);

export interface ChosenAgent {
  chosen: string;
  agents: AgentVerdict[];
  /** The preferences that narrowed the choice. */
  preferred: Preference[];
}

export type Preference = 'language' | 'location';

export type AgentVerdict =
  | { agentId: string; eligible: true }
  | { agentId: string; eligible: false; reason: ExclusionReason };

export type ExclusionReason =
  | 'not_in_roster'
  | 'inactive'
  | 'unknown_time_zone'
  | 'paused'
  | 'absent'
  | 'taken_by_operator'
  | 'held_earlier_in_round'
  | 'daily_cap'
  | 'open_cap'
  | 'holiday'
  | 'outside_working_hours'
  | 'language'
  | 'location'
  | 'others_preferred_for_language'
  | 'others_preferred_for_location';

/** What a turn of the rotation did to one eligible member; credits count leads. */
export interface CreditStep {
  agentId: string;
  creditBefore: number;
  weight: number;
  creditAfter: number;
}

export interface Load {
  agentId: string;
  openLeads: number;
  assignedToday: number;
  lastAssignedAt: string | null;
}
