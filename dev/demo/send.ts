import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Presets, SingleBar } from 'cli-progress';
import PQueue from 'p-queue';
import type { Lead, MergedLead, Operations } from '../client/generated.ts';
import type { LeadClient } from '../client/lead-client.ts';
import type { Enquiry } from './enquiries.ts';
import type { Progress } from '../progress.ts';

export interface Sent {
  enquiry: Enquiry;
  answer: Lead | MergedLead;
  latencyMs: number;
}

export interface Refused {
  what: string;
  reason: string;
}

/** As enquiries come in: one after the other, not all in the same moment. */
export interface Pace {
  concurrency: number;
  /** 0: as fast as they are taken. */
  perSecond: number;
}

export interface SendOptions {
  client: LeadClient;
  pace: Pace;
  onDone: () => void;
}

/** Sends every enquiry; one that fails does not keep the others. */
export async function sendAll(enquiries: readonly Enquiry[], options: SendOptions) {
  const { client, pace, onDone } = options;
  const sent: Sent[] = [];
  const send = async (enquiry: Enquiry) => {
    const since = performance.now();
    const answer = await client.createLead({ body: enquiry.body });
    sent.push({ enquiry, answer, latencyMs: performance.now() - since });
  };
  const nameOf = ({ number, kind }: Enquiry) => `enquiry ${number} (${kind})`;
  const failed = await eachOf(enquiries, pace, nameOf, async (enquiry) => {
    await send(enquiry).finally(onDone);
  });
  return { sent, failed };
}

/** Does the work for each item, some at once; gives what went wrong. */
export async function eachOf<T>(
  items: readonly T[],
  { concurrency, perSecond }: Pace,
  nameOf: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<Refused[]> {
  const interval = perSecond > 0 ? { interval: 1000 / perSecond, intervalCap: 1 } : {};
  const queue = new PQueue({ concurrency, ...interval });
  const failed: Refused[] = [];
  const tasks = items.map((item) => async () => {
    try {
      await work(item);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failed.push({ what: nameOf(item), reason });
    }
  });
  await queue.addAll(tasks);
  return failed;
}

export interface SendingBar {
  advance(): void;
  done(): void;
}

/** A bar for a person at a terminal; a step like the others in a log. */
export function sendingBar(total: number, progress: Progress): SendingBar {
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

type Updated = Operations['updateLead']['answer'];

export interface FollowUps {
  updates: Updated[];
  responses: number;
  failed: Refused[];
}

export interface AfterwardsOptions {
  client: LeadClient;
  pace: Pace;
  standings: LeadStates;
}

/** Later details for some leads, and how long the agent of some took to respond. */
export async function sendFollowUps(
  sent: readonly Sent[],
  { client, pace, standings }: AfterwardsOptions,
): Promise<FollowUps> {
  const updates: Updated[] = [];
  let responses = 0;
  const nameOf = ({ enquiry }: Sent) => `what follows enquiry ${enquiry.number}`;
  const followed = sent.filter(({ enquiry }) => enquiry.later || enquiry.responseSeconds !== null);
  const failed = await eachOf(followed, pace, nameOf, async ({ enquiry, answer }) => {
    const path = { id: answer.id };
    if (enquiry.later) updates.push(await client.updateLead({ path, body: enquiry.later }));
    const isHeld = standings.get(answer.id)?.status === 'assigned';
    if (enquiry.responseSeconds === null || !isHeld) return;
    await client.recordResponseTime({ path, body: { seconds: enquiry.responseSeconds } });
    responses += 1;
  });
  return { updates, responses, failed };
}

export type Assignment = Operations['readLeadAssignment']['answer'];
export type LeadStates = Map<string, Assignment>;

/** The service may ask for a minute; who looks at a terminal will not wait that long. */
const LONGEST_WAIT_SECONDS = 5;

export interface StandingOptions {
  client: LeadClient;
  concurrency: number;
  timeoutMs: number;
}

/** Asks who has each lead until none is pending, or the time is up: those left stay `pending`. */
export async function waitForOwners(
  leadIds: readonly string[],
  { client, concurrency, timeoutMs }: StandingOptions,
): Promise<LeadStates> {
  const deadline = Date.now() + timeoutMs;
  const standings: LeadStates = new Map();
  let open = [...new Set(leadIds)];
  for (;;) {
    const failed = await eachOf(open, { concurrency, perSecond: 0 }, String, async (id) => {
      standings.set(id, await client.readLeadAssignment({ path: { id } }));
    });
    if (failed[0]) throw new Error(`Reading lead ${failed[0].what}: ${failed[0].reason}`);
    open = open.filter((id) => standings.get(id)?.status === 'pending');
    if (open.length === 0 || Date.now() > deadline) return standings;
    await sleep(waitMs(open.map((id) => standings.get(id))));
  }
}

/** As long as the most patient answer asks for. */
function waitMs(open: readonly (Assignment | undefined)[]): number {
  const asked = open.map((one) => one?.retryAfterSeconds ?? 1);
  return 1000 * Math.min(Math.max(...asked), LONGEST_WAIT_SECONDS);
}
