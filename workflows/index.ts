export { DncrCheck } from './dncr-check.ts';
export { Housekeeping } from './housekeeping.ts';
export { LeadLifecycle } from './lead-lifecycle.ts';
export { WebhookTest } from './webhook-test.ts';
