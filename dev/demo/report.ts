import Table from 'cli-table3';
import type { Afterwards } from './afterwards.ts';
import type { Books } from './ledger.ts';
import { percentile, type Tally } from './tally.ts';

export interface Findings {
  tally: Tally;
  books: Books;
  afterwards: Afterwards;
  sentInMs: number;
  latenciesMs: readonly number[];
  /** Of each sort of lead, one. */
  links: readonly (readonly [sort: string, place: string])[];
  failures: readonly { what: string; reason: string }[];
}

type Row = readonly [name: string, value: string | number];

export function reportText(findings: Findings): string {
  const { tally, books, links, failures } = findings;
  const parts = [
    tableOf(['Enquiries', ''], enquiryRows(findings)),
    tableOf(['Leads now', '', ''], ownerRows(tally)),
    tableOf(
      ['Decided by', ''],
      books.decisions.map(({ decider, leads }) => [decider, leads]),
    ),
    tableOf(['Webhooks and times', ''], timeRows(findings)),
    links.map(([sort, place]) => `${sort.padEnd(20)} ${place}`).join('\n'),
    ...failures.slice(0, 10).map(({ what, reason }) => `FAILED  ${what}: ${reason}`),
  ];
  return `\n${parts.join('\n\n')}\n`;
}

function enquiryRows({ tally, afterwards, failures }: Findings): Row[] {
  const { updates } = afterwards;
  return [
    ['sent', tally.sent],
    ['  a new lead', tally.created],
    ['    of a person known for longer (repeat)', tally.repeat],
    ['    needing review', tally.needingReview],
    ['    of competing agents', tally.agentEnquiries],
    ['  merged, by phone', tally.mergedByPhone],
    ['  merged, by e-mail', tally.mergedByEmail],
    ['updates later', updates.length],
    ['  that changed something', updates.filter(({ updated }) => updated).length],
    ['  that sent the lead through routing again', updates.filter((one) => one.rerouted).length],
    ['response times recorded', afterwards.responses],
    ['requests that failed', failures.length],
  ];
}

function ownerRows({ statuses, agents, leads }: Tally): (string | number)[][] {
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

function timeRows({ books, sentInMs, latenciesMs }: Findings): Row[] {
  const { delivered, failed, waiting, tookMs } = books.deliveries;
  return [
    ['webhooks delivered', delivered],
    ['webhooks failed', failed],
    ['webhooks waiting', waiting],
    ['enquiries sent per second', ((1000 * latenciesMs.length) / sentInMs).toFixed(1)],
    ['create, p50 / p99', spread(latenciesMs)],
    ['created to owner by the rules, p50 / p99', spread(books.decidedAfterMs)],
    ['event to delivered webhook, p50 / p99', spread(tookMs)],
  ];
}

function spread(values: readonly number[]): string {
  const [median, slow] = [percentile(values, 0.5), percentile(values, 0.99)];
  return median === null || slow === null ? '-' : `${duration(median)} / ${duration(slow)}`;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

function tableOf(head: string[], rows: readonly (readonly (string | number)[])[]): string {
  const colAligns = head.map((_, index) => (index === 0 ? 'left' : 'right'));
  const table = new Table({ head, colAligns, style: { head: [], border: [], compact: true } });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}
