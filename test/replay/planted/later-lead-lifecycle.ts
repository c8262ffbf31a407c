import { sleep } from '@temporalio/workflow';
import { LeadLifecycle as released } from '../../../workflows/lead-lifecycle.ts';
import type { LeadLifecycleInput } from '../../../workflows/contracts/lead-lifecycle.ts';

/** What must not be released: runs in flight do not know of the wait. */
export async function LeadLifecycle(input: LeadLifecycleInput): Promise<string> {
  await sleep('1 second');
  return released(input);
}
