import type { AgentVerdict, ExclusionReason } from '../../domain/routing/types.ts';

export function verdictText(verdict: AgentVerdict, chosen: string | null): string {
  if (!verdict.eligible) return `left out: ${REASONS[verdict.reason]}`;
  return verdict.agentId === chosen ? 'chosen' : 'eligible';
}

const REASONS: Record<ExclusionReason, string> = {
  not_in_roster: 'no such agent any more',
  inactive: 'not active',
  paused: 'paused',
  held_earlier_in_round: 'held the lead earlier in this round',
  daily_cap: 'has the leads of the day',
  open_cap: 'has as many open leads as allowed',
  outside_working_hours: 'outside working hours',
  language: 'does not speak the language',
  location: 'does not cover the place',
  others_preferred_for_language: 'others speak the language',
  others_preferred_for_location: 'others cover the place',
};
