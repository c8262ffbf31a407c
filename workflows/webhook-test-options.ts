import { TypedSearchAttributes } from '@temporalio/common';
import { queues, searchAttributes } from './messages.ts';

/** A call that an operator makes to try an endpoint; it goes the way that deliveries go. */
export const WEBHOOK_TEST = 'WebhookTest';

export interface WebhookTestInput {
  endpointId: string;
  testId: string;
}

export interface WebhookTestReport {
  webhookId: string;
  host: string;
  delivered: boolean;
  outcome: string;
  status: number | null;
  latencyMs: number;
  /** The first KiB of the answer. */
  answer: string | null;
}

export function webhookTestOptions(input: WebhookTestInput) {
  const { endpointId, testId } = input;
  return {
    workflowId: `webhook-test/${testId}/${endpointId}`,
    taskQueue: queues.webhooks,
    args: [input] as [WebhookTestInput],
    staticSummary: `Test of endpoint ${endpointId}`,
    workflowExecutionTimeout: '1 minute',
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.endpointId, value: endpointId },
      { key: searchAttributes.eventType, value: 'webhook.test' },
    ]),
  } as const;
}
