import { lookupKey } from '../catalogue/lookups/lookup-list.ts';
import type { LeftOutReason } from './explanation.ts';
import type { LeadFacts } from './lead-facts.ts';
import type { RosterAgent } from './roster.ts';
import type { Gates } from './rule-schema.ts';
import { isWithinWorkingHours } from './working-hours.ts';

interface Case {
  agent: RosterAgent;
  facts: LeadFacts;
  gates: Gates;
  now: Date;
}

/** Every ground to leave an agent out, in the order in which it is told. */
const GROUNDS: readonly { reason: LeftOutReason; applies: (each: Case) => boolean }[] = [
  { reason: 'inactive', applies: ({ agent }) => !agent.active },
  { reason: 'paused', applies: ({ agent }) => agent.paused },
  {
    reason: 'held_earlier_in_round',
    applies: ({ agent, facts }) => facts.excludedAgentIds.includes(agent.id),
  },
  {
    reason: 'daily_cap',
    applies: ({ agent, gates }) => gates.caps && isFull(agent.assignedToday, agent.dailyCap),
  },
  {
    reason: 'open_cap',
    applies: ({ agent, gates }) => gates.caps && isFull(agent.openLeads, agent.openCap),
  },
  {
    reason: 'outside_working_hours',
    applies: ({ agent, gates, now }) =>
      gates.availability === 'working_hours' &&
      !isWithinWorkingHours(agent.workingHours, agent.timeZone, now),
  },
  {
    reason: 'language',
    applies: ({ agent, facts, gates }) =>
      gates.language === 'require' && !speaksLeadLanguage(agent, facts),
  },
  {
    reason: 'location',
    applies: ({ agent, facts, gates }) =>
      gates.location === 'require' && !coversLeadLocation(agent, facts),
  },
];

/** Why an agent cannot take the lead under a rule's gates; null when they can. */
export function leftOutReason(each: Case): LeftOutReason | null {
  return GROUNDS.find(({ applies }) => applies(each))?.reason ?? null;
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
