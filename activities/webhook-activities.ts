import { createDeliverWebhook } from './deliver-webhook.ts';
import type { WebhookContext } from './deliver-webhook.ts';
import { createTestWebhook } from './test-webhook.ts';

/** What the workflows of webhooks do to the world. */
export function createWebhookActivities(context: WebhookContext) {
  return {
    deliverWebhook: createDeliverWebhook(context),
    testWebhook: createTestWebhook(context),
  };
}
