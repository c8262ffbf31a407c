import { asKnown } from './as-known.ts';
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
  /** Everyone within reach as they were at that moment; without it they are as they were before. */
  known?: Roster;
}

export interface GivenLead {
  agentId: string;
  /** ISO 8601. */
  at: string;
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

/** A replay between two leads. */
export interface Progress {
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
    const step = replayLead(progress, lead, ruleset, defaults);
    progress = step.progress;
    const { decision } = step;
    return { leadId: lead.leadId, place: placeOf(decision), ruleName: decision.ruleName };
  });
  return { leads, shares: sharesOf(leads) };
}

/** The next lead of a replay, and the replay after it. */
export function replayLead(
  progress: Progress,
  lead: PastLead,
  ruleset: Ruleset,
  defaults: Defaults,
): { decision: Decision; progress: Progress } {
  const now = new Date(lead.decidedAt);
  const moved = readyAt(progress, now);
  const ready = lead.known ? { ...moved, roster: asKnown(moved.roster, lead.known) } : moved;
  const decision = decide(lead.facts, ruleset, ready.roster, now, defaults);
  return { decision, progress: after(ready, lead, decision) };
}

/** A lead that an agent got by another way than the rules: it counts against their caps all the same. */
export function replayGiven(progress: Progress, { agentId, at, closedAt }: GivenLead): Progress {
  const ready = readyAt(progress, new Date(at));
  return {
    ...ready,
    roster: afterAssignment(ready.roster, { agentId, rotation: [] }, at),
    open: [...ready.open, ...closing(agentId, closedAt)],
  };
}

function readyAt({ roster, open, previous }: Progress, now: Date): Progress {
  if (previous === null) return { roster, open, previous: now };
  return { ...movedOn(roster, previous, now, open), previous: now };
}

function after(ready: Progress, { decidedAt, closedAt }: PastLead, decision: Decision): Progress {
  if (decision.kind !== 'assigned') return ready;
  const { agentId } = decision;
  return {
    ...ready,
    roster: afterAssignment(ready.roster, decision, decidedAt),
    open: [...ready.open, ...closing(agentId, closedAt)],
  };
}

function closing(agentId: string, closedAt: string | null): OpenLead[] {
  return closedAt === null ? [] : [{ agentId, closesAtMs: Date.parse(closedAt) }];
}
