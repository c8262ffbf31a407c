import { assertNever } from '../../domain/assert-never.ts';
import { destinationKey, destinationOf, type Destination } from '../../domain/routing/decision.ts';
import { routingDefaults, type Defaults } from '../../domain/routing/follow-up.ts';
import { differences } from '../../domain/routing/recompute.ts';
import type { Ruleset } from '../../domain/routing/rules.ts';
import {
  compareOutcomes,
  createRoutingSimulation,
  type Comparison,
  type GivenLead,
  type Move,
  type RoutingSimulation,
  type Share,
} from '../../domain/routing/what-if.ts';
import { countEarlierWaits } from '../../store/leads/waiting-leads.ts';
import type { Database } from '../../store/db/database.ts';
import {
  readDecisionsSince,
  readGivenLeads,
  readRosterAt,
  readWaitsSince,
  type DecisionEntry,
} from '../../store/routing/decisions.ts';
import { createRulesetStore, readRecordNames } from '../../store/routing/rulesets.ts';
import type { Since } from '../arguments.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { tableOf, tableText } from '../table.ts';
import { count, figure, nameOf, poolText, timeText, type Names } from '../text.ts';
import { explanationLines } from '../views/explanation.ts';
import { readRules } from './rules-file.ts';

/** Fails if any decision differs. */
export async function checkDecisions(operator: Operator, options: { since: Since }) {
  const database = await operator.database();
  const since = options.since(operator.now(), operator.config.companyTimeZone);
  const waitingByEarlierRules = await countEarlierWaits(database);
  const rulesets = createRulesetStore();
  const differing: DifferingDecision[] = [];
  let checked = 0;
  for (const decisions of [readDecisionsSince, readWaitsSince])
    for await (const stored of decisions(database, since)) {
      const { leadId, round, move, decidedAt, rulesetVersion } = stored;
      const found = differences(stored, await rulesets.byVersion(database, rulesetVersion));
      checked += 1;
      if (found.length === 0) continue;
      differing.push({ leadId, round, move, decidedAt, rulesetVersion, differences: found });
    }
  operator.show({ since, checked, differing, waitingByEarlierRules }, (view) => {
    const made = `${count(checked, 'decision')} since ${timeText(since)} made again`;
    const waiting = count(waitingByEarlierRules, 'lead');
    return [
      ...(differing.length === 0
        ? [`${made}: all come out the same.`]
        : [`${made}.`, differingText(view.differing)]),
      ...(waitingByEarlierRules > 0
        ? [`${waiting} still waiting by earlier rules: the worker decides them again.`]
        : []),
    ].join('\n');
  });
  if (differing.length === 0) return;
  throw new OperatorError(`${count(differing.length, 'decision')} cannot be recomputed.`);
}

interface DifferingDecision extends Pick<
  DecisionEntry,
  'leadId' | 'round' | 'move' | 'decidedAt' | 'rulesetVersion'
> {
  differences: string[];
}

const differingText = tableOf<DifferingDecision>({
  lead: 'leadId',
  round: 'round',
  move: 'move',
  decided: 'decidedAt',
  ruleset: 'rulesetVersion',
  difference: ({ differences }) => differences.join('; '),
});

export async function tryRules(
  operator: Operator,
  file: string,
  options: { since: Since; sample: number },
) {
  const database = await operator.database();
  // Ignores other sections: a simulation needs agents with a past.
  const { rules } = await readRules(operator, file, (section) => section === 'rules');
  const since = options.since(operator.now(), operator.config.companyTimeZone);
  const defaults = routingDefaults(operator.config);
  const sampleSize = options.sample;
  const result = await simulatePast(database, { rules }, { since, defaults, sampleSize });
  const names = Object.fromEntries(await readRecordNames(database, result));
  operator.show({ file, since, rules: rules.length, ...result, names }, tryText);
}

type MovedLead = Pick<DecisionEntry, 'leadId' | 'round'> &
  Record<'before' | 'after', ReturnType<ReturnType<typeof createPlacer>>>;

/**
 * Both sides start from the same loads and credits, so that only the rules differ. `faithful` leads go where they
 * really went under their own rules. `sample` are the first leads that would go elsewhere.
 */
export async function simulatePast(
  database: Database,
  ruleset: Ruleset,
  { since, defaults, sampleSize }: { since: Date; defaults: Defaults; sampleSize: number },
) {
  const { roster, open } = await readRosterAt(database, since);
  const given = await readGivenLeads(database, since);
  const placeByOwn = createPlacer(createRoutingSimulation(roster, open, since, defaults), given);
  const placeByTried = createPlacer(createRoutingSimulation(roster, open, since, defaults), given);
  const rulesets = createRulesetStore();
  const moves: Move[] = [];
  const sample: MovedLead[] = [];
  let faithful = 0;
  for await (const entry of readDecisionsSince(database, since)) {
    if (entry.decidedBy !== 'rules') continue;
    const before = placeByOwn(entry, await rulesets.byVersion(database, entry.rulesetVersion));
    const after = placeByTried(entry, ruleset);
    moves.push({ from: before.place, to: after.place });
    if (isSame(before.place, actualDestination(entry))) faithful += 1;
    // Only the explanations of the sample stay in memory.
    if (sample.length >= sampleSize || isSame(before.place, after.place)) continue;
    sample.push({ leadId: entry.leadId, round: entry.round, before, after });
  }
  return { comparison: compareOutcomes(moves), faithful, sample };
}

/** Routes each entry and updates the agents' load. */
function createPlacer(simulation: RoutingSimulation, given: readonly GivenLead[]) {
  let at = 0;
  return (entry: DecisionEntry, ruleset: Ruleset) => {
    for (let next = given[at]; next && next.at < entry.decidedAt; next = given[(at += 1)])
      simulation.give(next);
    const decision = simulation.route(entry, ruleset);
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

interface TryView extends Awaited<ReturnType<typeof simulatePast>> {
  file: string;
  rules: number;
  since: Date;
  names: Names;
}

function tryText(view: TryView): string {
  const { comparison, names } = view;
  if (comparison.total === 0) return `No lead was routed since ${timeText(view.since)}.`;
  return [
    summaryText(view),
    ...movesText(comparison, names),
    `Shares of the agents\n${sharesText(comparison.sharesBefore, comparison.sharesAfter, names)}`,
    ...view.sample.map((moved) => movedText(moved, names)),
  ].join('\n\n');
}

function summaryText({ comparison, faithful, file, rules, since }: TryView): string {
  const { total, elsewhere, nobody, waits } = comparison;
  return [
    `${figure(elsewhere)} of ${count(total, 'lead')} would go elsewhere; ${figure(nobody.after)} would find nobody (${figure(nobody.before)} under their own rules).`,
    ...waitsText(waits),
    `${count(rules, 'rule')} of ${file}, tried on what was routed since ${timeText(since)}.`,
    `Under their own rules this simulation puts ${figure(faithful)} of ${figure(total)} where they really went.`,
  ].join('\n');
}

function waitsText({ before, after }: Comparison['waits']): string[] {
  if (before.leads + after.leads === 0) return [];
  const lengths = `half of them ${after.medianMinutes} min or less, the longest ${after.longestMinutes} min`;
  return [
    `${figure(after.leads)} would wait for an agent${after.leads > 0 ? `, ${lengths}` : ''} (${figure(before.leads)} under their own rules).`,
  ];
}

function movesText({ moves }: Comparison, names: Names): string[] {
  if (moves.length === 0) return [];
  const rows = moves.map(({ from, to, leads }) => [
    destinationText(from, names),
    destinationText(to, names),
    leads,
  ]);
  return [`From whom to whom\n${tableText(['from', 'to', 'leads'], rows)}`];
}

function sharesText(before: readonly Share[], after: readonly Share[], names: Names): string {
  const [old, now] = [before, after].map(
    (shares) => new Map(shares.map((share) => [share.agentId, share])),
  );
  const agentIds = [...new Set([...before, ...after].map(({ agentId }) => agentId))];
  return tableText(
    ['agent', 'leads before', 'share', 'leads after', 'share'],
    agentIds.map((id) => [
      nameOf(id, names),
      ...shareCells(old?.get(id)),
      ...shareCells(now?.get(id)),
    ]),
  );
}

function shareCells(share: Share | undefined): unknown[] {
  return [share?.leads ?? 0, `${((share?.share ?? 0) * 100).toFixed(1)} %`];
}

function movedText({ leadId, round, before, after }: MovedLead, names: Names): string {
  return [
    `Lead ${leadId}, round ${round}: ${destinationText(before.place, names)} → ${destinationText(after.place, names)}`,
    'Under its own rules',
    ...explanationLines(before.explanation, names),
    'Under the rules tried',
    ...explanationLines(after.explanation, names),
  ].join('\n');
}

function destinationText(destination: Destination, names: Names): string {
  switch (destination.kind) {
    case 'agent':
      return nameOf(destination.agentId, names);
    case 'pool':
      return poolText(destination.poolId, names);
    case 'waiting':
      return 'waits for an agent';
    case 'nobody':
      return 'nobody';
    default:
      return assertNever(destination);
  }
}
