import { Context } from '@temporalio/activity';
import type { WebhookContext } from '../context.ts';
import { createDeliveryAttempts } from './attempt-delivery.ts';
import { createRetryWebhook, createSendWebhooks } from './send-webhooks.ts';
import { createTestWebhook } from './test-webhook.ts';

const HEARTBEAT_EVERY_MS = 3000;

export function createWebhookActivities(context: WebhookContext) {
  const attempts = createDeliveryAttempts(context);
  return {
    sendWebhooks: withHeartbeat(createSendWebhooks(attempts)),
    retryWebhook: withHeartbeat(createRetryWebhook(attempts)),
    testWebhook: createTestWebhook(context),
  };
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** Heartbeats let the server notice within seconds that the worker was killed. */
function withHeartbeat<Input, Output>(activity: (input: Input) => Promise<Output>) {
  return async (input: Input): Promise<Output> => {
    const context = Context.current();
    const heartbeat = setInterval(() => context.heartbeat(), HEARTBEAT_EVERY_MS);
    try {
      return await activity(input);
    } finally {
      clearInterval(heartbeat);
    }
  };
}
