import { setTimeout as sleep } from 'node:timers/promises';
import type { Operations } from '../client/generated.ts';
import type { LeadClient } from '../client/lead-client.ts';
import { eachOf } from './send-all.ts';

export type Assignment = Operations['readLeadAssignment']['answer'];
export type Standings = Map<string, Assignment>;

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
): Promise<Standings> {
  const deadline = Date.now() + timeoutMs;
  const standings: Standings = new Map();
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
