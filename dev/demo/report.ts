import Table from 'cli-table3';
import { isMerged, type Assignment, type Lead, type MergedLead } from '../client/lead-client.ts';
import type { Findings } from './run.ts';

type Row = readonly (string | number)[];

export function formatReport(findings: Findings, linkTo: (leadId: string) => string): string {
  const { ledger, failures } = findings;
  const decisions = ledger.decisions.map(({ decider, leads }) => [decider, leads]);
  const examples = exampleLeads(findings);
  const parts = [
    formatTable(['Enquiries', ''], enquiryRows(findings)),
    formatTable(['Leads now', '', ''], ownerRows(findings)),
    formatTable(['Decided by', ''], decisions),
    formatTable(['Webhooks and times', ''], timeRows(findings)),
    examples.map(([sort, id]) => `${sort.padEnd(20)} ${linkTo(id)}`).join('\n'),
    ...failures.slice(0, 10).map(({ what, reason }) => `FAILED  ${what}: ${reason}`),
  ];
  return `\n${parts.join('\n\n')}\n`;
}

function enquiryRows({ sent, followUps: { updates, responses }, failures }: Findings): Row[] {
  const leads = sent.map(({ lead }) => lead);
  const created = leads.filter(isNew);
  const merged = leads.filter(isMerged);
  return [
    ['sent', sent.length],
    ['  a new lead', created.length],
    ['    of a person known for longer (repeat)', count(created, (lead) => lead.isRepeatLead)],
    ['    needing review', count(created, (lead) => lead.needsIntakeReview)],
    ['    of competing agents', count(created, (lead) => lead.isAgentEnquiry)],
    ['  merged, by phone', count(merged, ({ matchedOn }) => matchedOn === 'phone')],
    ['  merged, by e-mail', count(merged, ({ matchedOn }) => matchedOn === 'email')],
    ['updates later', updates.length],
    ['  that changed something', count(updates, ({ updated }) => updated)],
    ['  that sent the lead through routing again', count(updates, ({ rerouted }) => rerouted)],
    ['response times recorded', responses],
    ['requests that failed', failures.length],
  ];
}

function ownerRows({ assignments }: Findings): Row[] {
  const current = [...assignments.values()];
  const row = (name: string, amount: number) =>
    [name, amount, `${((100 * amount) / Math.max(1, current.length)).toFixed(1)} %`] as const;
  const ofStatus = (name: string, wanted: Assignment['status']) =>
    row(
      name,
      count(current, ({ status }) => status === wanted),
    );
  const names = current.flatMap(({ agent }) => agent?.name ?? []);
  const agents = [...Map.groupBy(names, (name) => name)]
    .map(([name, all]) => row(`  ${name}`, all.length))
    .toSorted((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  return [
    ofStatus('with an agent', 'assigned'),
    ...agents,
    ofStatus('in a pool', 'pool'),
    ofStatus('unassigned', 'unassigned'),
    ofStatus('pending', 'pending'),
  ];
}

function count<T>(list: readonly T[], isCounted: (item: T) => boolean): number {
  return list.filter(isCounted).length;
}

function timeRows({ ledger, sentInMs, sent }: Findings): Row[] {
  const latenciesMs = sent.map(({ latencyMs }) => latencyMs);
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

/** The value that this share of the list does not exceed; null for an empty list. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
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

const isNew = (lead: Lead | MergedLead): lead is Lead => !isMerged(lead);

type IsOfSort = (lead: Lead | MergedLead, status?: Assignment['status']) => boolean;

const SORTS: Readonly<Record<string, IsOfSort>> = {
  'owner named at once': (lead) => isNew(lead) && lead.assignedTo !== null,
  'assigned by rules': (lead, status) => isNew(lead) && !lead.assignedTo && status === 'assigned',
  'in a pool': (_, status) => status === 'pool',
  unassigned: (_, status) => status === 'unassigned',
  pending: (_, status) => status === 'pending',
  'merged into': isMerged,
  repeat: (lead) => isNew(lead) && lead.isRepeatLead,
  'needs review': (lead) => isNew(lead) && lead.needsIntakeReview,
  'competing agent': (lead) => isNew(lead) && lead.isAgentEnquiry,
};

/** One lead of each sort; each lead stands for one sort only, where there are enough. */
function exampleLeads({ sent, assignments, followUps }: Findings) {
  const leads = sent.map(({ lead }) => lead);
  const candidates = Object.entries(SORTS).map(([name, isOfIt]) => ({
    name,
    found: leads.filter((lead) => isOfIt(lead, assignments.get(lead.id)?.status)),
  }));
  const rerouted = followUps.updates.filter((update) => update.rerouted);
  const chosen = new Set<string>();
  return [...candidates, { name: 'routed again', found: rerouted }].flatMap(({ name, found }) => {
    const { id } = found.find((one) => !chosen.has(one.id)) ?? found[0] ?? {};
    if (id === undefined) return [];
    chosen.add(id);
    return [[name, id] as const];
  });
}
