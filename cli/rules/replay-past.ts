import { destinationOf } from '../../domain/routing/destination.ts';
import type { Defaults, Ruleset } from '../../domain/routing/types.ts';
import { replayGiven, replayLead } from '../../domain/routing/what-if.ts';
import type { GivenLead, PastLead, Progress } from '../../domain/routing/what-if.ts';
import type { Database } from '../../store/db/database.ts';
import { readGivenLeads } from '../../store/routing/given-leads.ts';
import { readRosterAt } from '../../store/routing/roster-at.ts';
import { createStoredRulesets, readDecisionsSince } from '../../store/routing/stored-decisions.ts';
import type { DecisionEntry } from '../../store/routing/stored-decisions.ts';
import { createTally } from './replay-tally.ts';
import type { PastReplay, Placement } from './replay-tally.ts';

export interface ReplayRequest {
  ruleset: Ruleset;
  since: Date;
  defaults: Defaults;
  sampleSize: number;
}

/**
 * The leads of the past twice over, in order: under the rules that they were routed by and under those
 * to try, from the same loads and credits, so that every difference is one of the rules.
 */
export async function replayPast(database: Database, request: ReplayRequest): Promise<PastReplay> {
  const { ruleset, since, defaults, sampleSize } = request;
  const { roster, open } = await readRosterAt(database, since);
  const start: Progress = { roster, open, previous: since };
  const given = await readGivenLeads(database, since);
  const own = replayOf(start, given, defaults);
  const tried = replayOf(start, given, defaults);
  const rulesetOf = createStoredRulesets(database);
  const tally = createTally(sampleSize);
  for await (const entry of readDecisionsSince(database, since)) {
    if (entry.decidedBy !== 'rules') continue;
    const before = own(entry, await rulesetOf(entry.rulesetVersion));
    tally.add(entry, before, tried(entry, ruleset));
  }
  return tally.result();
}

/** One side of the comparison: routes an entry and remembers what that did to everyone's load. */
function replayOf(start: Progress, given: readonly GivenLead[], defaults: Defaults) {
  let progress = start;
  let at = 0;
  return (entry: DecisionEntry, ruleset: Ruleset): Placement => {
    const now = entry.decidedAt.toISOString();
    for (let next = given[at]; next && next.at < now; next = given[(at += 1)]) {
      progress = replayGiven(progress, next);
    }
    const step = replayLead(progress, pastLead(entry), ruleset, defaults);
    progress = step.progress;
    return { place: destinationOf(step.decision), explanation: step.decision.explanation };
  };
}

function pastLead({ leadId, facts, roster, decidedAt, closedAt }: DecisionEntry): PastLead {
  return {
    leadId,
    facts,
    decidedAt: decidedAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
    known: roster,
  };
}
