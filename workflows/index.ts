/** Every workflow type, for the worker's bundle and for replay. */
export { DncrCheck } from './dncr-check.ts';
export { Housekeeping } from './housekeeping.ts';
export { LeadLifecycle } from './lead-lifecycle.ts';
export { WebhookTest } from './webhook-test.ts';
