import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild } from '@temporalio/workflow';
import { deliveryOptions } from './delivery-options.ts';
import { workflowTypes } from './messages.ts';
import type { DeliveryInput } from './messages.ts';

/**
 * Starts a workflow for each delivery and waits for the starts only: a child is abandoned, so that a
 * dead endpoint never holds a lead open.
 */
export async function startDeliveries(deliveries: readonly DeliveryInput[]): Promise<void> {
  await Promise.all(deliveries.map(startDelivery));
}

async function startDelivery(delivery: DeliveryInput): Promise<void> {
  try {
    await startChild(workflowTypes.webhookDelivery, {
      ...deliveryOptions(delivery),
      parentClosePolicy: ParentClosePolicy.ABANDON,
    });
  } catch (error) {
    // Somebody else started it: that is all that is wanted.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
