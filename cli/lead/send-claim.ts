import { setTimeout as sleep } from 'node:timers/promises';
import { readClaimStanding } from '../../store/assignment/claim-state.ts';
import { claimLead, isBusy, isRunEnding } from '../../temporal/lead-lifecycle-client.ts';
import type { ClaimOutcome, ClaimRequest } from '../../workflows/contracts/lead-lifecycle.ts';
import type { Operator } from '../operator.ts';
import { withTemporal } from '../with-temporal.ts';

const DEADLINE_MS = 30_000;
const TRIES_OF_ENDING_RUNS = 5;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 6000;

/**
 * The claim as an Update of the lead's workflow, which is started where none is open: a lead may have
 * waited in its pool for months. A run that completes just then gives the claim to the next one; its
 * id makes that the same claim. A workflow takes few Updates at once and drops the rest of a crowd:
 * whoever is dropped learns from the lead itself whether another was faster, else comes again.
 */
export async function sendClaim(
  operator: Operator,
  leadId: string,
  claim: ClaimRequest,
  deadlineMs = DEADLINE_MS,
): Promise<ClaimOutcome> {
  return withTemporal(operator, deadlineMs, async (client) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await claimLead(client, leadId, claim);
      } catch (error) {
        const isPassing = isBusy(error) || (isRunEnding(error) && tries < TRIES_OF_ENDING_RUNS);
        if (!isPassing) throw error;
      }
      const outcome = await knownOutcome(operator, leadId, claim);
      if (outcome) return outcome;
      await sleep(pauseMs(tries));
    }
  });
}

/** A lead that has a holder is given to nobody else by a claim, however late that is heard. */
async function knownOutcome(
  operator: Operator,
  leadId: string,
  { agentId, claimId }: ClaimRequest,
): Promise<ClaimOutcome | null> {
  const standing = await readClaimStanding(await operator.database(), leadId, claimId);
  if (standing?.isMade) return { claimed: true, agentId };
  if (!standing?.isHeld) return null;
  return { claimed: false, reason: 'held_by_another', status: standing.status };
}

/** Spread, so that a crowd does not come back all at once. */
function pauseMs(tries: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS) * Math.random();
}
