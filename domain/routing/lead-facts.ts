/** A location of the lead with everything it lies in, so that a subtree is one lookup. */
export interface LeadLocation {
  id: string;
  ancestorIds: readonly string[];
}

export interface BudgetRange {
  min: number | null;
  max: number | null;
}

/**
 * The facts of a lead that routing reads, under the names that conditions use. Never a phone, an e-mail or a
 * person's name: facts are kept with the decision for good.
 */
export interface LeadFacts {
  distributionType: string | null;
  source: string | null;
  subSource: readonly string[];
  funnel: string | null;
  campaign: string | null;
  developer: string | null;
  /** The lead's own location and its area of interest; either may match. */
  location: readonly LeadLocation[];
  language: readonly string[];
  leadType: string | null;
  propertyType: string | null;
  budget: BudgetRange;
  currency: string | null;
  listingPurpose: string | null;
  listingMarket: string | null;
  marketSegment: string | null;
  agentCategory: string | null;
  country: string | null;
  client: string | null;
  integrationRef: string | null;
  isRepeatLead: boolean;
  isAgentEnquiry: boolean;
  marketingType: string | null;
  eventType: string | null;
  /** Who held the lead earlier in this round: the follow-up never moves it back to them. */
  excludedAgentIds: readonly string[];
}
