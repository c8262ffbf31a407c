import { createTestWebhook } from './test-webhook.ts';
import type { WebhookContext } from './webhooks/context.ts';
import { createAttemptDelivery } from './webhooks/attempt-delivery.ts';
import { createRetryWebhook } from './webhooks/retry-webhook.ts';
import { createSendWebhooks } from './webhooks/send-webhooks.ts';

/** What the workflows do to the endpoints of integrators. */
export function createWebhookActivities(context: WebhookContext) {
  const attempt = createAttemptDelivery(context);
  return {
    sendWebhooks: createSendWebhooks(attempt),
    retryWebhook: createRetryWebhook(attempt),
    testWebhook: createTestWebhook(context),
  };
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;
