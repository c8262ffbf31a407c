import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createLeadClient, dataOf } from '../client/lead-client.ts';
import { step, type Progress } from '../progress.ts';
import type { Addresses } from '../stack/addresses.ts';
import { addressFile } from '../stack/data-folder.ts';
import type { Enquiry } from './enquiries.ts';
import { readLedger } from './figures.ts';
import type { Findings } from './report.ts';
import { sendEnquiries, sendFollowUps, waitForOwners, type Pace } from './send.ts';

interface RunOptions {
  stack: Addresses;
  enquiries: readonly Enquiry[];
  pace: Pace;
  progress: Progress;
  timeoutMs: number;
}

/** Sends the enquiries, waits for owners, sends what follows, and reads the figures. */
export async function runDemo(options: RunOptions): Promise<Findings> {
  const { stack, enquiries, pace, progress, timeoutMs } = options;
  const client = createLeadClient(stack);
  const sending = { client, pace };
  const since = new Date();
  await dataOf(client.GET('/public/project-statuses')); // so that no create waits for the token

  const sendingSince = performance.now();
  const { sent, failed } = await sendEnquiries(enquiries, sending, progress);
  const sentInMs = performance.now() - sendingSince;
  const leadIds = [...new Set(sent.map(({ lead }) => lead.id))];
  const owners = (title: string) =>
    step(progress, title, () => waitForOwners(leadIds, sending, timeoutMs));
  const firstAssignments = await owners('Owners');
  const followUps = await step(progress, 'Later details, response times', () =>
    sendFollowUps(sent, sending, firstAssignments),
  );
  const assignments = await owners('Owners after that');
  const ledger = await step(progress, 'Webhooks', () =>
    readLedger({ databaseUrl: stack.databaseUrl, leadIds, since, timeoutMs }),
  );
  const failures = [...failed, ...followUps.failed];
  return { sent, assignments, ledger, followUps, sentInMs, failures };
}

/** Every enquiry was accepted and routed, and every webhook delivered. */
export function isSuccessful({ assignments, ledger, failures }: Findings): boolean {
  const { waiting, failed } = ledger.deliveries;
  const isPending = [...assignments.values()].some(({ status }) => status === 'pending');
  return !isPending && failures.length + waiting + failed === 0;
}

/** The addresses of the running stack; throws what to do when none runs. */
export async function findStack(dataDir: string): Promise<Addresses> {
  const folder = path.resolve(dataDir);
  const stack = readAddresses(folder);
  const readyUrl = `${stack.opsUrl}/readyz`;
  const response = await fetch(readyUrl, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  if (response?.ok) return stack;
  throw new Error(
    `The stack of ${folder} does not answer at ${readyUrl}.\nStart it again with "npm start".`,
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
