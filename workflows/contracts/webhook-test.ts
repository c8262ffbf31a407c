import { TypedSearchAttributes } from '@temporalio/common';
import { searchAttributes } from './search-attributes.ts';
import { taskQueues } from './task-queues.ts';

export interface WebhookTestInput {
  endpointId: string;
  testId: string;
  /** The event whose sample is sent. Defaults to an event that says it is a test. */
  type?: string;
}

export interface WebhookTestReport {
  webhookId: string;
  host: string;
  delivered: boolean;
  outcome: string;
  status: number | null;
  latencyMs: number;
  /** The first KiB of the response's body. */
  answer: string | null;
}

/** The call is made on the queue of the deliveries, so that it takes the same path as they do. */
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
