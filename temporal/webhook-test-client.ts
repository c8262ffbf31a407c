import { status } from '@grpc/grpc-js';
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { webhookTestOptions, type WebhookTestInput } from '../workflows/contracts/webhook-test.ts';
import type * as workflows from '../workflows/index.ts';
import { hasGrpcStatus } from './connection.ts';

const NO_ATTRIBUTES = new TypedSearchAttributes([]);
const WORKFLOW_TYPE = 'WebhookTest' satisfies keyof typeof workflows;

export async function runWebhookTest(client: Client, input: WebhookTestInput) {
  const options = webhookTestOptions(input);
  const run = (given: typeof options) =>
    client.workflow.execute<typeof workflows.WebhookTest>(WORKFLOW_TYPE, given);
  return run(options).catch((error: unknown) => {
    // The namespace may lack the search attributes.
    if (!hasGrpcStatus(error, [status.INVALID_ARGUMENT])) throw error;
    return run({ ...options, typedSearchAttributes: NO_ATTRIBUTES });
  });
}
