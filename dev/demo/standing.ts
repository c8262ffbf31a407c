import { setTimeout as sleep } from 'node:timers/promises';
import type { Operations } from '../client/generated.ts';
import type { LeadClient } from '../client/lead-client.ts';
import { eachOf } from './send-all.ts';

export type Assignment = Operations['readLeadAssignment']['answer'];
export type Standings = Map<string, Assignment>;

const ASK_AGAIN_MS = 500;

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
    const failed = await eachOf(open, concurrency, String, async (id) => {
      standings.set(id, await client.readLeadAssignment({ path: { id } }));
    });
    if (failed[0]) throw new Error(`Reading lead ${failed[0].what}: ${failed[0].reason}`);
    open = open.filter((id) => standings.get(id)?.status === 'pending');
    if (open.length === 0 || Date.now() > deadline) return standings;
    await sleep(ASK_AGAIN_MS);
  }
}
