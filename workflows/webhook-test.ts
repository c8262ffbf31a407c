import { proxyActivities } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhooks/webhook-activities.ts';
import { taskQueues } from './contracts/task-queues.ts';
import type { WebhookTestInput, WebhookTestReport } from './contracts/webhook-test.ts';

export async function WebhookTest(input: WebhookTestInput): Promise<WebhookTestReport> {
  const { testWebhook } = proxyActivities<WebhookActivities>({
    taskQueue: taskQueues.webhooks,
    summary: `webhook test to ${input.endpointId}`,
    startToCloseTimeout: '50 seconds',
    retry: { maximumAttempts: 1 },
  });
  return testWebhook(input);
}
