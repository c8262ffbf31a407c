import PQueue from 'p-queue';
import type { Lead, MergedLead } from '../client/generated.ts';
import type { LeadClient } from '../client/lead-client.ts';
import type { Enquiry } from './enquiry.ts';

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
