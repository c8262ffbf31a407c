export { WebhookDelivery } from '../../workflows/webhook-delivery.ts';
export { WebhookTest } from '../../workflows/webhook-test.ts';
