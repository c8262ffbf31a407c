import { compareOutcomes } from '../../../domain/routing/compare-outcomes.ts';
import type { Comparison, Outcome } from '../../../domain/routing/compare-outcomes.ts';
import { placeKey, placeOf } from '../../../domain/routing/place.ts';
import type {
  Decision,
  Defaults,
  Explanation,
  Place,
  Ruleset,
} from '../../../domain/routing/types.ts';
import { replayGiven, replayLead } from '../../../domain/routing/what-if.ts';
import type { GivenLead, PastLead, Progress } from '../../../domain/routing/what-if.ts';
import type { Database } from '../../../store/database.ts';
import { readGivenLeads } from '../../../store/routing/given-leads.ts';
import { readRosterAt } from '../../../store/routing/roster-at.ts';
import {
  createStoredRulesets,
  readDecisionsSince,
} from '../../../store/routing/stored-decisions.ts';
import type { DecisionEntry } from '../../../store/routing/stored-decisions.ts';

export interface MovedLead {
  leadId: string;
  round: number;
  before: { place: Place; explanation: Explanation };
  after: { place: Place; explanation: Explanation };
}

export interface PastReplay {
  comparison: Comparison;
  /** Leads that the replay under their own rules puts where they really went. */
  faithful: number;
  sample: MovedLead[];
}

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
  const [before, after]: [Outcome[], Outcome[]] = [[], []];
  const sample: MovedLead[] = [];
  let faithful = 0;
  for await (const entry of readDecisionsSince(database, since)) {
    if (entry.decidedBy !== 'rules') continue;
    const was = own(entry, await rulesetOf(entry.rulesetVersion));
    const would = tried(entry, ruleset);
    before.push({ leadId: entry.assignmentId, place: was.place });
    after.push({ leadId: entry.assignmentId, place: would.place });
    if (placeKey(was.place) === placeKey(realPlace(entry))) faithful += 1;
    const isMoved = placeKey(was.place) !== placeKey(would.place);
    if (isMoved && sample.length < sampleSize) {
      sample.push({ leadId: entry.leadId, round: entry.round, before: was, after: would });
    }
  }
  return { comparison: compareOutcomes(before, after), faithful, sample };
}

/** One side of the comparison: routes an entry and remembers what that did to everyone's load. */
function replayOf(start: Progress, given: readonly GivenLead[], defaults: Defaults) {
  let progress = start;
  let at = 0;
  return (entry: DecisionEntry, ruleset: Ruleset) => {
    const now = entry.decidedAt.toISOString();
    for (let next = given[at]; next && next.at < now; next = given[(at += 1)]) {
      progress = replayGiven(progress, next);
    }
    const step = replayLead(progress, pastLead(entry), ruleset, defaults);
    progress = step.progress;
    return placed(step.decision);
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

function placed(decision: Decision): { place: Place; explanation: Explanation } {
  return { place: placeOf(decision), explanation: decision.explanation };
}

function realPlace({ agentId, poolId }: DecisionEntry): Place {
  if (agentId !== null) return { kind: 'agent', agentId };
  return poolId === null ? { kind: 'nobody' } : { kind: 'pool', poolId };
}
