import { decide } from './decide.ts';
import type { Assigned, Decision } from './decision.ts';
import type { Defaults } from './follow-up.ts';
import type { LeadFacts } from './lead-facts.ts';
import { matchRules } from './match-rules.ts';
import {
  mergeHistoricRoster,
  advanceRoster,
  applyAssignment,
  replayTurns,
  type OpenLead,
  type PastTurn,
} from './replay-roster.ts';
import type { Roster } from './roster.ts';
import type { Ruleset } from './rule-schema.ts';

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
  /** The turns that it took in a rotation: a follow-up chooses by the rule's own. */
  turns: PastTurn[];
}

/** A replay between two leads. */
export interface Progress {
  roster: Roster;
  open: OpenLead[];
  previous: Date | null;
}

/**
 * What a ruleset would have done with the next past lead, and the replay after it. Loads, caps and rotation
 * move on lead by lead, and the day's count starts again with each agent's own day.
 */
export function replayLead(
  progress: Progress,
  lead: PastLead,
  ruleset: Ruleset,
  defaults: Defaults,
): { decision: Decision; progress: Progress } {
  const now = new Date(lead.decidedAt);
  const moved = advanceTo(progress, now);
  const ready = lead.known
    ? { ...moved, roster: mergeHistoricRoster(moved.roster, lead.known) }
    : moved;
  const decision = decide(matchRules(lead.facts, ruleset), ready.roster, now, defaults);
  if (decision.kind !== 'assigned') return { decision, progress: ready };
  return { decision, progress: withAssignment(ready, decision, lead.decidedAt, lead.closedAt) };
}

/**
 * A lead that an agent got by another way than the rules' first choice: it counts against their caps and
 * takes its turn all the same.
 */
export function replayGiven(progress: Progress, given: GivenLead): Progress {
  const ready = advanceTo(progress, new Date(given.at));
  const rotation = replayTurns(ready.roster.teams, given.turns);
  return withAssignment(ready, { agentId: given.agentId, rotation }, given.at, given.closedAt);
}

function advanceTo({ roster, open, previous }: Progress, now: Date): Progress {
  if (previous === null) return { roster, open, previous: now };
  return { ...advanceRoster(roster, previous, now, open), previous: now };
}

function withAssignment(
  progress: Progress,
  assigned: Pick<Assigned, 'agentId' | 'rotation'>,
  at: string,
  closedAt: string | null,
): Progress {
  const { agentId } = assigned;
  const opened = closedAt === null ? [] : [{ agentId, closesAtMs: Date.parse(closedAt) }];
  return {
    ...progress,
    roster: applyAssignment(progress.roster, assigned, at),
    open: [...progress.open, ...opened],
  };
}
