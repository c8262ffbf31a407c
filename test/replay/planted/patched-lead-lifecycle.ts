import { patched, sleep } from '@temporalio/workflow';
import { LeadLifecycle as released } from '../../../workflows/lead-lifecycle.ts';
import type { LeadLifecycleInput } from '../../../workflows/contracts/lead-lifecycle.ts';

/** The same change made safe: only runs that begin with it take it. */
export async function LeadLifecycle(input: LeadLifecycleInput): Promise<string> {
  if (patched('wait-before-routing')) await sleep('1 second');
  return released(input);
}
