import { decide } from './decide.ts';
import type { Decision, Defaults } from './decision.ts';
import type { LeadFacts } from './lead-facts.ts';
import { placeOf } from './place.ts';
import type { Place } from './place.ts';
import { afterAssignment, movedOn } from './replay-roster.ts';
import type { OpenLead } from './replay-roster.ts';
import type { Roster } from './roster.ts';
import type { Ruleset } from './rule-schema.ts';
import { sharesOf } from './shares.ts';
import type { Share } from './shares.ts';

export interface PastLead {
  leadId: string;
  facts: LeadFacts;
  /** ISO 8601. */
  decidedAt: string;
  /** ISO 8601: when it stopped counting as open; null: it is open to the end. */
  closedAt: string | null;
}

export interface ReplayedLead {
  leadId: string;
  place: Place;
  ruleName: string | null;
}

export interface Replay {
  leads: ReplayedLead[];
  shares: Share[];
}

interface Progress {
  roster: Roster;
  open: OpenLead[];
  previous: Date | null;
}

/**
 * What a ruleset would have done with past leads, in the order given. Loads, caps and rotation move on
 * from the given roster lead by lead, and the day's count starts again with each agent's own day.
 */
export function replayDecisions(
  past: readonly PastLead[],
  ruleset: Ruleset,
  roster: Roster,
  defaults: Defaults,
): Replay {
  let progress: Progress = { roster, open: [], previous: null };
  const leads = past.map((lead): ReplayedLead => {
    const now = new Date(lead.decidedAt);
    const ready = readyAt(progress, now);
    const decision = decide(lead.facts, ruleset, ready.roster, now, defaults);
    progress = after(ready, lead, decision);
    return { leadId: lead.leadId, place: placeOf(decision), ruleName: decision.ruleName };
  });
  return { leads, shares: sharesOf(leads) };
}

function readyAt({ roster, open, previous }: Progress, now: Date): Progress {
  if (previous === null) return { roster, open, previous: now };
  return { ...movedOn(roster, previous, now, open), previous: now };
}

function after(ready: Progress, { decidedAt, closedAt }: PastLead, decision: Decision): Progress {
  if (decision.kind !== 'assigned') return ready;
  const { agentId } = decision;
  const closing = closedAt === null ? [] : [{ agentId, closesAtMs: Date.parse(closedAt) }];
  return {
    ...ready,
    roster: afterAssignment(ready.roster, decision, decidedAt),
    open: [...ready.open, ...closing],
  };
}
