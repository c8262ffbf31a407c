import Table from 'cli-table3';
import { leadWorkflowId } from '../../workflows/contracts/lead-lifecycle.ts';
import { percentile, type Counts, type Ledger } from './figures.ts';
import type { Assignments, Failure, FollowUps, Sent } from './send.ts';

export interface Findings {
  counts: Counts;
  ledger: Ledger;
  followUps: FollowUps;
  sentInMs: number;
  latenciesMs: readonly number[];
  /** One lead of each sort. */
  links: readonly (readonly [sort: string, link: string])[];
  failures: readonly Failure[];
}

type Row = readonly (string | number)[];

export function formatReport(findings: Findings): string {
  const { counts, ledger, links, failures } = findings;
  const decisions = ledger.decisions.map(({ decider, leads }) => [decider, leads]);
  const parts = [
    formatTable(['Enquiries', ''], enquiryRows(findings)),
    formatTable(['Leads now', '', ''], ownerRows(counts)),
    formatTable(['Decided by', ''], decisions),
    formatTable(['Webhooks and times', ''], timeRows(findings)),
    links.map(([sort, link]) => `${sort.padEnd(20)} ${link}`).join('\n'),
    ...failures.slice(0, 10).map(({ what, reason }) => `FAILED  ${what}: ${reason}`),
  ];
  return `\n${parts.join('\n\n')}\n`;
}

function enquiryRows({ counts, followUps: { updates, responses }, failures }: Findings): Row[] {
  return [
    ['sent', counts.sent],
    ['  a new lead', counts.created],
    ['    of a person known for longer (repeat)', counts.repeat],
    ['    needing review', counts.needingReview],
    ['    of competing agents', counts.agentEnquiries],
    ['  merged, by phone', counts.mergedByPhone],
    ['  merged, by e-mail', counts.mergedByEmail],
    ['updates later', updates.length],
    ['  that changed something', updates.filter(({ updated }) => updated).length],
    ['  that sent the lead through routing again', updates.filter((one) => one.rerouted).length],
    ['response times recorded', responses],
    ['requests that failed', failures.length],
  ];
}

function ownerRows({ statuses, agents, leads }: Counts): Row[] {
  const share = (amount: number) => `${((100 * amount) / Math.max(1, leads)).toFixed(1)} %`;
  const row = (name: string, amount: number) => [name, amount, share(amount)];
  return [
    row('with an agent', statuses.assigned),
    ...agents.map((agent) => row(`  ${agent.name}`, agent.leads)),
    row('in a pool', statuses.pool),
    row('unassigned', statuses.unassigned),
    row('pending', statuses.pending),
  ];
}

function timeRows({ ledger, sentInMs, latenciesMs }: Findings): Row[] {
  const { delivered, failed, waiting, tookMs } = ledger.deliveries;
  return [
    ['webhooks delivered', delivered],
    ['webhooks failed', failed],
    ['webhooks waiting', waiting],
    ['enquiries sent per second', ((1000 * latenciesMs.length) / sentInMs).toFixed(1)],
    ['create, p50 / p99', formatPercentiles(latenciesMs)],
    ['created to owner by the rules, p50 / p99', formatPercentiles(ledger.decidedAfterMs)],
    ['event to delivered webhook, p50 / p99', formatPercentiles(tookMs)],
  ];
}

function formatPercentiles(values: readonly number[]): string {
  const [median, slow] = [percentile(values, 0.5), percentile(values, 0.99)];
  return median === null || slow === null ? '-' : `${duration(median)} / ${duration(slow)}`;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

function formatTable(head: string[], rows: readonly Row[]): string {
  const colAligns = head.map((_, index) => (index === 0 ? 'left' : 'right'));
  const table = new Table({ head, colAligns, style: { head: [], border: [], compact: true } });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}

type Example = readonly [sort: string, leadId: string];

/** One lead of each sort; each lead stands for one sort only, where there are enough. */
export function exampleLeads(
  sent: readonly Sent[],
  assignments: Assignments,
  { updates }: FollowUps,
): Example[] {
  const rerouted = updates.filter((update) => update.rerouted).map(({ id }) => id);
  const candidates = sorts(assignments).map(([sort, belongs]): [string, string[]] => {
    return [sort, sent.filter(belongs).map(({ lead }) => lead.id)];
  });
  const chosen = new Set<string>();
  return [...candidates, ['routed again', rerouted] as const].flatMap(([sort, ids]): Example[] => {
    const id = ids.find((one) => !chosen.has(one)) ?? ids[0];
    if (id === undefined) return [];
    chosen.add(id);
    return [[sort, id]];
  });
}

function sorts(assignments: Assignments): [sort: string, belongs: (one: Sent) => boolean][] {
  const statusOf = (one: Sent) => assignments.get(one.lead.id)?.status;
  const assignedByRules = (one: Sent) =>
    !one.lead.merged && !one.lead.assignedTo && statusOf(one) === 'assigned';
  return [
    ['owner named at once', ({ lead }) => !lead.merged && lead.assignedTo !== null],
    ['assigned by rules', assignedByRules],
    ['in a pool', (one) => statusOf(one) === 'pool'],
    ['unassigned', (one) => statusOf(one) === 'unassigned'],
    ['pending', (one) => statusOf(one) === 'pending'],
    ['merged into', ({ lead }) => lead.merged],
    ['repeat', ({ lead }) => !lead.merged && lead.isRepeatLead],
    ['needs review', ({ lead }) => !lead.merged && lead.needsIntakeReview],
    ['competing agent', ({ lead }) => !lead.merged && lead.isAgentEnquiry],
  ];
}

export function workflowUrl(temporalUiUrl: string, namespace: string, leadId: string): string {
  const workflowId = encodeURIComponent(leadWorkflowId(leadId));
  return `${temporalUiUrl}/namespaces/${namespace}/workflows/${workflowId}`;
}
