import type { Client } from '@temporalio/client';
import { webhookTestOptions, type WebhookTestInput } from '../workflows/contracts/webhook-test.ts';
import type * as workflows from '../workflows/index.ts';

const WORKFLOW_TYPE = 'WebhookTest' satisfies keyof typeof workflows;

/** Has a worker call the endpoint once, and waits for its report. */
export function runWebhookTest(client: Client, input: WebhookTestInput) {
  const options = webhookTestOptions(input);
  return client.workflow.execute<typeof workflows.WebhookTest>(WORKFLOW_TYPE, options);
}
