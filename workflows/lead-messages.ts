import { leadEvents } from './contracts/lead-lifecycle.ts';
import type { ClaimRequest, LeadEventSignal } from './contracts/lead-lifecycle.ts';

/** Messages as they arrive: the Web UI and the command line send a lead's workflow whatever is typed. */

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What cannot be read is a reason to look again, like any other event. */
export function eventOf(signal: Partial<LeadEventSignal> | null | undefined): string {
  return leadEvents.find((event) => event === signal?.event) ?? 'recover';
}

/** Throws for a claim that no try could bring to an end; it leaves no trace in the history. */
export function assertClaim(claim: Partial<ClaimRequest> | null | undefined): void {
  for (const field of ['agentId', 'claimId'] as const) {
    if (!UUID.test(String(claim?.[field]))) throw new Error(`${field} is not a uuid.`);
  }
}
