import { createTestWebhook } from './test-webhook.ts';
import type { WebhookContext } from './context.ts';
import { createDeliveryAttempts } from './delivery-attempts.ts';
import { createRetryWebhook } from './retry-webhook.ts';
import { createSendWebhooks } from './send-webhooks.ts';

/** What the workflows do to the endpoints of integrators. */
export function createWebhookActivities(context: WebhookContext) {
  const attempts = createDeliveryAttempts(context);
  return {
    sendWebhooks: createSendWebhooks(attempts),
    retryWebhook: createRetryWebhook(attempts),
    testWebhook: createTestWebhook(context),
  };
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;
