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

export interface SendOptions {
  client: LeadClient;
  concurrency: number;
  onDone: () => void;
}

/** Sends every enquiry; one that fails does not keep the others. */
export async function sendAll(enquiries: readonly Enquiry[], options: SendOptions) {
  const { client, concurrency, onDone } = options;
  const sent: Sent[] = [];
  const send = async (enquiry: Enquiry) => {
    const since = performance.now();
    const answer = await client.createLead({ body: enquiry.body });
    sent.push({ enquiry, answer, latencyMs: performance.now() - since });
  };
  const nameOf = ({ number, kind }: Enquiry) => `enquiry ${number} (${kind})`;
  const failed = await eachOf(enquiries, concurrency, nameOf, async (enquiry) => {
    await send(enquiry).finally(onDone);
  });
  return { sent, failed };
}

/** Does the work for each item, some at once; gives what went wrong. */
export async function eachOf<T>(
  items: readonly T[],
  concurrency: number,
  nameOf: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<Refused[]> {
  const queue = new PQueue({ concurrency });
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
