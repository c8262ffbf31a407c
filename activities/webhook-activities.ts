import { createTestWebhook } from './test-webhook.ts';
import type { WebhookContext } from './webhooks/context.ts';
import { createDeliveryAttempts } from './webhooks/delivery-attempts.ts';
import { createRetryWebhook } from './webhooks/retry-webhook.ts';
import { createSendWebhooks } from './webhooks/send-webhooks.ts';

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
