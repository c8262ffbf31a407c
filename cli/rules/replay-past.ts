import {
  compareOutcomes,
  Replay,
  type Comparison,
  type Move,
  type GivenLead,
} from '../../domain/routing/what-if.ts';
import {
  destinationKey,
  destinationOf,
  type Destination,
  type Explanation,
} from '../../domain/routing/decision.ts';
import type { Defaults } from '../../domain/routing/follow-up.ts';
import type { Ruleset } from '../../domain/routing/rules.ts';
import {
  readGivenLeads,
  readDecisionsSince,
  type DecisionEntry,
} from '../../store/routing/stored-decisions.ts';
import { readRosterAt } from '../../store/routing/roster.ts';
import { createRulesetStore } from '../../store/routing/rulesets.ts';
import type { Database } from '../../store/db/database.ts';

interface Placement {
  place: Destination;
  explanation: Explanation;
}

export interface MovedLead {
  leadId: string;
  round: number;
  before: Placement;
  after: Placement;
}

export interface PastReplay {
  comparison: Comparison;
  /** Leads that the replay under their own rules puts where they really went. */
  faithful: number;
  /** The first leads that would go elsewhere. */
  sample: MovedLead[];
}

/**
 * Replays the past leads twice, in order: under the rules that they were routed by and under those to try.
 * Both start from the same loads and credits, so that every difference comes from the rules.
 */
export async function replayPast(
  database: Database,
  ruleset: Ruleset,
  { since, defaults, sampleSize }: { since: Date; defaults: Defaults; sampleSize: number },
): Promise<PastReplay> {
  const { roster, open } = await readRosterAt(database, since);
  const given = await readGivenLeads(database, since);
  const replayOwn = createPlacer(new Replay(roster, open, since, defaults), given);
  const replayTried = createPlacer(new Replay(roster, open, since, defaults), given);
  const rulesets = createRulesetStore();
  const moves: Move[] = [];
  const sample: MovedLead[] = [];
  let faithful = 0;
  for await (const entry of readDecisionsSince(database, since)) {
    if (entry.decidedBy !== 'rules') continue;
    const before = replayOwn(entry, await rulesets.byVersion(database, entry.rulesetVersion));
    const after = replayTried(entry, ruleset);
    moves.push({ from: before.place, to: after.place });
    if (isSame(before.place, actualDestination(entry))) faithful += 1;
    // Only the explanations of the sample stay in memory.
    if (sample.length >= sampleSize || isSame(before.place, after.place)) continue;
    sample.push({ leadId: entry.leadId, round: entry.round, before, after });
  }
  return { comparison: compareOutcomes(moves), faithful, sample };
}

/** One side of the comparison: routes each entry and keeps what that did to the agents' load. */
function createPlacer(replay: Replay, given: readonly GivenLead[]) {
  let at = 0;
  return (entry: DecisionEntry, ruleset: Ruleset): Placement => {
    const now = entry.decidedAt.toISOString();
    for (let next = given[at]; next && next.at < now; next = given[(at += 1)]) replay.give(next);
    const decision = replay.route(entry, ruleset);
    return { place: destinationOf(decision, entry.decidedAt), explanation: decision.explanation };
  };
}

function isSame(one: Destination, other: Destination): boolean {
  return destinationKey(one) === destinationKey(other);
}

function actualDestination({ agentId, poolId }: DecisionEntry): Destination {
  if (agentId !== null) return { kind: 'agent', agentId };
  return poolId === null ? { kind: 'nobody' } : { kind: 'pool', poolId };
}
