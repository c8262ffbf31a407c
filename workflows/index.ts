/** Every workflow type of the service, for the worker's bundle and for replay. */
export { LeadLifecycle } from './lead-lifecycle.ts';
export { WebhookDelivery } from './webhook-delivery.ts';
export { WebhookTest } from './webhook-test.ts';
