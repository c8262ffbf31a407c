import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createLeadClient } from '../client/lead-client.ts';
import type { Enquiry } from './enquiries.ts';
import { readLedger, tallyOf } from './figures.ts';
import { examples, workflowUrl } from './report.ts';
import type { Findings } from './report.ts';
import { sendAll, sendFollowUps, sendingBar, waitForOwners } from './send.ts';
import type { Pace } from './send.ts';
import { step } from '../progress.ts';
import type { Progress } from '../progress.ts';
import { addressFile } from '../stack/addresses.ts';
import type { Addresses } from '../stack/addresses.ts';

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
    sendFollowUps(sent, { client, pace, standings: atFirst }),
  );
  const standings = await owners('Owners after that');
  const books = await step(progress, 'Webhooks', () =>
    readLedger({ databaseUrl: stack.databaseUrl, leadIds, since, timeoutMs }),
  );
  const placeOf = (id: string) =>
    stack.temporalUiUrl ? workflowUrl(stack.temporalUiUrl, namespace, id) : id;
  return {
    tally: tallyOf(sent, standings),
    ledger: books,
    followUps: afterwards,
    sentInMs,
    latenciesMs: sent.map(({ latencyMs }) => latencyMs),
    links: examples(sent, standings, afterwards).map(([sort, id]) => [sort, placeOf(id)]),
    failures: [...failed, ...afterwards.failed],
  };
}

/** Everything sent was taken, routed and told. */
export function isSuccessful({ tally, ledger: books, failures }: Findings): boolean {
  return (
    failures.length === 0 &&
    tally.statuses.pending === 0 &&
    books.deliveries.waiting === 0 &&
    books.deliveries.failed === 0
  );
}

/** Where the running stack says it is; throws what to do when none runs. */
export async function findStack(dataDir: string): Promise<Addresses> {
  const folder = path.resolve(dataDir);
  const stack = readAddresses(folder);
  const opsUrl = `${stack.opsUrl}/readyz`;
  const answer = await fetch(opsUrl, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  if (answer?.ok) return stack;
  throw new Error(
    `The stack of ${folder} does not answer at ${opsUrl}.\nStart it again with "npm start".`,
  );
}

function readAddresses(folder: string): Addresses {
  try {
    return JSON.parse(readFileSync(addressFile(folder), 'utf8')) as Addresses;
  } catch {
    throw new Error(
      `No stack runs in ${folder}.\n` +
        'Start one with "npm start" in another terminal; if it has another folder, set DATA_DIR here too.',
    );
  }
}
