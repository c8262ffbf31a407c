import { assertNever } from '../../domain/assert-never.ts';
import type { Comparison, Share } from '../../domain/routing/what-if.ts';
import type { Destination } from '../../domain/routing/decision.ts';
import type { MovedLead, PastReplay } from '../rules/replay-past.ts';
import { tableText } from '../table.ts';
import { count, figure, nameOf, poolText, timeText, type Names } from '../text.ts';
import { explanationLines } from './explanation.ts';

interface TryView extends PastReplay {
  file: string;
  /** How many the file has. */
  rules: number;
  since: Date;
}

export function tryText(view: TryView, names: Names): string {
  const { comparison } = view;
  if (comparison.total === 0) return `No lead was routed since ${timeText(view.since)}.`;
  return [
    summaryText(view),
    ...movesText(view, names),
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
    `Under their own rules this replay puts ${figure(faithful)} of ${figure(total)} where they really went.`,
  ].join('\n');
}

function waitsText({ before, after }: Comparison['waits']): string[] {
  if (before.leads + after.leads === 0) return [];
  const lengths = `half of them ${after.medianMinutes} min or less, the longest ${after.longestMinutes} min`;
  return [
    `${figure(after.leads)} would wait for an agent${after.leads > 0 ? `, ${lengths}` : ''} (${figure(before.leads)} under their own rules).`,
  ];
}

function movesText({ comparison }: TryView, names: Names): string[] {
  if (comparison.moves.length === 0) return [];
  const rows = comparison.moves.map(({ from, to, leads }) => [
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
