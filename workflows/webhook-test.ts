import { proxyActivities } from '@temporalio/workflow';
import type { TestWebhook } from '../activities/webhooks/test-webhook.ts';
import type { WebhookTestInput, WebhookTestReport } from './contracts/webhook-test.ts';

/** One call, never repeated: the operator looks at what came back. */
export async function WebhookTest(input: WebhookTestInput): Promise<WebhookTestReport> {
  const { testWebhook } = proxyActivities<{ testWebhook: TestWebhook }>({
    summary: `webhook test to ${input.endpointId}`,
    startToCloseTimeout: '50 seconds',
    retry: { maximumAttempts: 1 },
  });
  return testWebhook(input);
}
