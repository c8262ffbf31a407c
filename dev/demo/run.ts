import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Presets, SingleBar } from 'cli-progress';
import PQueue from 'p-queue';
import {
  createLeadClient,
  dataOf,
  type Assignment,
  type Lead,
  type LeadClient,
  type MergedLead,
  type UpdatedLead,
} from '../client/lead-client.ts';
import { step, type Progress } from '../progress.ts';
import { readAddresses, type Addresses } from '../stack/addresses.ts';
import type { Enquiry } from './enquiries.ts';
import { readLedger } from './ledger.ts';

interface RunOptions {
  stack: Addresses;
  enquiries: readonly Enquiry[];
  /** 0: no limit. */
  perSecond: number;
  progress: Progress;
  timeoutMs: number;
}

export type Findings = Awaited<ReturnType<typeof runDemo>>;

/** As long as integrators are told to wait: the demo loads the machine that it runs on. */
const ATTEMPT_TIMEOUT_MS = 30_000;

/** Sends the enquiries, waits for owners, sends what follows, and reads the figures. */
export async function runDemo(options: RunOptions) {
  const { stack, enquiries, perSecond, progress, timeoutMs } = options;
  const client = createLeadClient({ ...stack, timeoutMs: ATTEMPT_TIMEOUT_MS });
  const sending = { client, perSecond };
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
  if (!stack)
    throw new Error(
      `No stack runs in ${folder}.\n` +
        'Start one with "npm start" in another terminal; if it has another folder, set DATA_DIR here too.',
    );
  const readyUrl = `${stack.opsUrl}/readyz`;
  const response = await fetch(readyUrl, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  if (response?.ok) return stack;
  throw new Error(
    `The stack of ${folder} does not answer at ${readyUrl}.\nStart it again with "npm start".`,
  );
}

/** An enquiry with the lead that it made or was merged into. */
export interface Sent {
  enquiry: Enquiry;
  lead: Lead | MergedLead;
  latencyMs: number;
}

interface Failure {
  what: string;
  reason: string;
}

/** What every step of the demo needs. */
type Sending = Pick<RunOptions, 'perSecond'> & { client: LeadClient };

/** Sends every enquiry; one that fails does not stop the others. */
async function sendEnquiries(
  enquiries: readonly Enquiry[],
  { client, perSecond }: Sending,
  progress: Progress,
) {
  const sent: Sent[] = [];
  const bar = sendingBar(enquiries.length, progress);
  const nameOf = ({ number, kind }: Enquiry) => `enquiry ${number} (${kind})`;
  const send = async (enquiry: Enquiry) => {
    const since = performance.now();
    const lead = await dataOf(client.POST('/public/leads', { body: enquiry.body }));
    sent.push({ enquiry, lead, latencyMs: performance.now() - since });
  };
  const failed = await forEach(enquiries, perSecond, nameOf, (enquiry) =>
    send(enquiry).finally(bar.advance),
  );
  bar.done();
  return { sent, failed };
}

const CONCURRENCY = 16;

/** Runs `work` for every item, so many a second (0: no limit); returns the failures. */
async function forEach<T>(
  items: readonly T[],
  perSecond: number,
  nameOf: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<Failure[]> {
  const interval = perSecond > 0 ? { interval: 1000 / perSecond, intervalCap: 1 } : {};
  const queue = new PQueue({ concurrency: CONCURRENCY, ...interval });
  const failed: Failure[] = [];
  const attempt = (item: T) =>
    work(item).catch((error: unknown) => {
      failed.push({ what: nameOf(item), reason: failureReason(error) });
    });
  await queue.addAll(items.map((item) => () => attempt(item)));
  return failed;
}

export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name !== 'TimeoutError') return error.message;
  return `no answer within ${ATTEMPT_TIMEOUT_MS / 1000} s, at the last attempt too. The API may have taken it all the same; what it answered is kept. Try a lower --rate on a busy machine.`;
}

/** A bar in a terminal; in a log a step like the others. */
function sendingBar(total: number, progress: Progress) {
  const title = `${total} enquiries`;
  if (!process.stdout.isTTY) {
    const { done } = progress.begin(title);
    return { advance: () => undefined, done: () => done() };
  }
  const since = Date.now();
  const format = `${title} {bar} {percentage} %  {duration_formatted}`;
  const options = { format, stream: process.stdout, clearOnComplete: true };
  const bar = new SingleBar(options, Presets.shades_classic);
  bar.start(total, 0);
  return {
    advance: () => bar.increment(),
    done() {
      bar.stop();
      progress.say(`✓ ${title.padEnd(34)} ${((Date.now() - since) / 1000).toFixed(1)} s`);
    },
  };
}

/** Sends later details of some leads, and the response times of agents who hold one by then. */
async function sendFollowUps(
  sent: readonly Sent[],
  { client, perSecond }: Sending,
  assignments: Assignments,
) {
  const updates: UpdatedLead[] = [];
  let responses = 0;
  const nameOf = ({ enquiry }: Sent) => `what follows enquiry ${enquiry.number}`;
  const followed = sent.filter(({ enquiry }) => enquiry.later || enquiry.responseSeconds !== null);
  const failed = await forEach(followed, perSecond, nameOf, async ({ enquiry, lead }) => {
    const { later, responseSeconds } = enquiry;
    const params = { path: { id: lead.id } };
    if (later) {
      updates.push(await dataOf(client.PUT('/public/leads/{id}', { params, body: later })));
    }
    if (responseSeconds === null || assignments.get(lead.id)?.status !== 'assigned') return;
    const body = { seconds: responseSeconds };
    await dataOf(client.POST('/public/leads/{id}/response-time', { params, body }));
    responses += 1;
  });
  return { updates, responses, failed };
}

/** Assignments by lead id. */
type Assignments = Map<string, Assignment>;

/** The service may ask for a wait of a minute, which is too long for a person at a terminal. */
const LONGEST_WAIT_SECONDS = 5;

/** Polls the leads' assignments until none is pending; those left after the timeout stay `pending`. */
async function waitForOwners(
  leadIds: readonly string[],
  { client }: Sending,
  timeoutMs: number,
): Promise<Assignments> {
  const deadline = Date.now() + timeoutMs;
  const assignments: Assignments = new Map();
  let open = [...leadIds];
  for (;;) {
    const failed = await forEach(open, 0, String, async (id) => {
      const params = { path: { id } };
      assignments.set(id, await dataOf(client.GET('/public/leads/{id}/assignment', { params })));
    });
    if (failed[0]) throw new Error(`Reading lead ${failed[0].what}: ${failed[0].reason}`);
    open = open.filter((id) => assignments.get(id)?.status === 'pending');
    if (open.length === 0 || Date.now() > deadline) return assignments;
    const asked = open.map((id) => assignments.get(id)?.retryAfterSeconds ?? 1);
    await sleep(1000 * Math.min(Math.max(...asked), LONGEST_WAIT_SECONDS));
  }
}
