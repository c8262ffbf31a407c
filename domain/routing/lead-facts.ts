import type { ValueField } from './condition-schema.ts';

/** A location of the lead with everything it lies in, so that a subtree is one lookup. */
export interface LeadLocation {
  id: string;
  ancestorIds: readonly string[];
}

export interface BudgetRange {
  min: number | null;
  max: number | null;
}

type ListFact = 'subSource' | 'language';
type Flag = 'isRepeatLead' | 'isAgentEnquiry';
type TextFact = Exclude<ValueField, ListFact | Flag | 'location'> | 'distributionType';

/**
 * The facts of a lead that routing reads, under the names that conditions use. Never a phone, an e-mail or a
 * person's name: facts are kept with the decision for good.
 */
export interface LeadFacts
  extends
    Record<TextFact, string | null>,
    Record<ListFact, readonly string[]>,
    Record<Flag, boolean> {
  /** The lead's own location and its area of interest; either may match. */
  location: readonly LeadLocation[];
  budget: BudgetRange;
  /** Who held the lead earlier in this round: the follow-up never moves it back to them. */
  excludedAgentIds: readonly string[];
  /** From whom operators took it, as long as that holds. */
  takenFromAgentIds?: readonly string[];
  /** The rules for whose agents the lead has waited in this round. */
  waits?: readonly RuleWait[];
}

export interface RuleWait {
  ruleName: string;
  /** ISO 8601; the lead waits no longer than until then. */
  endsAt: string;
}
