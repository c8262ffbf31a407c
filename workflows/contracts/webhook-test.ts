import { TypedSearchAttributes } from '@temporalio/common';
import { searchAttributes } from './search-attributes.ts';
import { taskQueues } from './task-queues.ts';

export interface WebhookTestInput {
  endpointId: string;
  testId: string;
  /** Sends a sample of this event. By default an event that says it is a test. */
  type?: string;
}

export interface WebhookTestReport {
  webhookId: string;
  host: string;
  delivered: boolean;
  outcome: string;
  status: number | null;
  latencyMs: number;
  answer: string | null;
}

/** The activity runs on the queue of the deliveries, so that it takes the same path. */
export function webhookTestOptions(input: WebhookTestInput) {
  const { endpointId, testId } = input;
  return {
    workflowId: `webhook-test/${testId}/${endpointId}`,
    taskQueue: taskQueues.lifecycle,
    args: [input] as [WebhookTestInput],
    staticSummary: `Test of endpoint ${endpointId}`,
    workflowExecutionTimeout: '1 minute',
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.endpointId, value: endpointId },
      { key: searchAttributes.eventType, value: 'webhook.test' },
    ]),
  } as const;
}
