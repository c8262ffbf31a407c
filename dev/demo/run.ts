import { createLeadClient } from '../client/lead-client.ts';
import { step, type Progress } from '../progress.ts';
import type { Addresses } from '../stack/addresses.ts';
import { sendAfterwards } from './afterwards.ts';
import { readBooks } from './ledger.ts';
import type { Enquiry } from './enquiry.ts';
import { examples, workflowUrl } from './links.ts';
import type { Findings } from './report.ts';
import { sendAll, type Pace } from './send-all.ts';
import { sendingBar } from './sending-bar.ts';
import { waitForOwners } from './lead-states.ts';
import { tallyOf } from './tally.ts';

export interface RunOptions {
  stack: Addresses;
  enquiries: readonly Enquiry[];
  pace: Pace;
  namespace: string;
  progress: Progress;
  timeoutMs: number;
}

/** The demo: enquiries, owners, what follows, and the books at the end. */
export async function runDemo(options: RunOptions): Promise<Findings> {
  const { stack, enquiries, pace, namespace, progress, timeoutMs } = options;
  const client = createLeadClient(stack);
  const routing = { client, concurrency: pace.concurrency, timeoutMs };
  const since = new Date();
  await client.listProjectStatuses({}); // so that no create waits for the token

  const bar = sendingBar(enquiries.length, progress);
  const sendingSince = performance.now();
  const { sent, failed } = await sendAll(enquiries, { client, pace, onDone: bar.advance });
  bar.done();
  const sentInMs = performance.now() - sendingSince;
  const leadIds = [...new Set(sent.map(({ answer }) => answer.id))];
  const owners = (title: string) => step(progress, title, () => waitForOwners(leadIds, routing));
  const atFirst = await owners('Owners');
  const afterwards = await step(progress, 'Later details, response times', () =>
    sendAfterwards(sent, { client, pace, standings: atFirst }),
  );
  const standings = await owners('Owners after that');
  const books = await step(progress, 'Webhooks', () =>
    readBooks({ databaseUrl: stack.databaseUrl, leadIds, since, timeoutMs }),
  );
  const placeOf = (id: string) =>
    stack.temporalUiUrl ? workflowUrl(stack.temporalUiUrl, namespace, id) : id;
  return {
    tally: tallyOf(sent, standings),
    books,
    afterwards,
    sentInMs,
    latenciesMs: sent.map(({ latencyMs }) => latencyMs),
    links: examples(sent, standings, afterwards).map(([sort, id]) => [sort, placeOf(id)]),
    failures: [...failed, ...afterwards.failed],
  };
}

/** Everything sent was taken, routed and told. */
export function isWell({ tally, books, failures }: Findings): boolean {
  return (
    failures.length === 0 &&
    tally.statuses.pending === 0 &&
    books.deliveries.waiting === 0 &&
    books.deliveries.failed === 0
  );
}
