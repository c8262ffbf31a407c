import type { Operations } from '../client/generated.ts';
import type { LeadClient } from '../client/lead-client.ts';
import { eachOf, type Pace, type Refused, type Sent } from './send-all.ts';
import type { Standings } from './lead-states.ts';

type Updated = Operations['updateLead']['answer'];

export interface Afterwards {
  updates: Updated[];
  responses: number;
  failed: Refused[];
}

export interface AfterwardsOptions {
  client: LeadClient;
  pace: Pace;
  standings: Standings;
}

/** Later details for some leads, and how long the agent of some took to respond. */
export async function sendAfterwards(
  sent: readonly Sent[],
  { client, pace, standings }: AfterwardsOptions,
): Promise<Afterwards> {
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
