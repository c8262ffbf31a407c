import { lookupKey } from '../catalogue/lookups/lookup-list.ts';
import type { ExclusionReason } from './explanation.ts';
import type { LeadFacts } from './lead-facts.ts';
import type { RosterAgent } from './roster.ts';
import type { Eligibility } from './rule-schema.ts';
import { isWithinWorkingHours } from './working-hours.ts';

interface Case {
  agent: RosterAgent;
  facts: LeadFacts;
  eligibility: Eligibility;
  now: Date;
}

/** Why a rule leaves an agent out; the first that applies is the one explained. */
const EXCLUSION_RULES: readonly { reason: ExclusionReason; applies: (each: Case) => boolean }[] = [
  { reason: 'inactive', applies: ({ agent }) => !agent.active },
  { reason: 'paused', applies: ({ agent }) => agent.paused },
  {
    reason: 'held_earlier_in_round',
    applies: ({ agent, facts }) => facts.excludedAgentIds.includes(agent.id),
  },
  {
    reason: 'daily_cap',
    applies: ({ agent, eligibility }) =>
      eligibility.caps && isFull(agent.assignedToday, agent.dailyCap),
  },
  {
    reason: 'open_cap',
    applies: ({ agent, eligibility }) => eligibility.caps && isFull(agent.openLeads, agent.openCap),
  },
  {
    reason: 'outside_working_hours',
    applies: ({ agent, eligibility, now }) =>
      eligibility.availability === 'working_hours' &&
      !isWithinWorkingHours(agent.workingHours, agent.timeZone, now),
  },
  {
    reason: 'language',
    applies: ({ agent, facts, eligibility }) =>
      eligibility.language === 'require' && !speaksLeadLanguage(agent, facts),
  },
  {
    reason: 'location',
    applies: ({ agent, facts, eligibility }) =>
      eligibility.location === 'require' && !coversLeadLocation(agent, facts),
  },
];

/** Why a rule excludes an agent; null when they can. */
export function findExclusionReason(each: Case): ExclusionReason | null {
  return EXCLUSION_RULES.find(({ applies }) => applies(each))?.reason ?? null;
}

/** A lead without a language can be served in any. */
export function speaksLeadLanguage(agent: RosterAgent, { language }: LeadFacts): boolean {
  const spoken = new Set(agent.languages.map(lookupKey));
  return language.length === 0 || language.some((code) => spoken.has(lookupKey(code)));
}

/** A lead without a location can be served by anyone. */
export function coversLeadLocation(agent: RosterAgent, { location }: LeadFacts): boolean {
  const covered = new Set(agent.locationIds);
  return (
    location.length === 0 ||
    location.some(({ id, ancestorIds }) => [id, ...ancestorIds].some((each) => covered.has(each)))
  );
}

function isFull(count: number, cap: number | null): boolean {
  return cap !== null && count >= cap;
}
