import { randomUUID } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure, TimeoutFailure } from '@temporalio/common';
import { runWebhookTest } from '../../temporal/webhook-test-client.ts';
import type { WebhookTestReport } from '../../workflows/contracts/webhook-test.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { reachedTemporal } from '../with-temporal.ts';
import { endpointIdFrom } from './endpoint-id.ts';

/** The worker makes the call: what counts is whether it gets there. Fails when it was not delivered. */
export async function testEndpoint(operator: Operator, text: string): Promise<void> {
  const input = { endpointId: endpointIdFrom(text), testId: randomUUID() };
  const report = await runWebhookTest(await reachedTemporal(operator), input).catch(explain);
  operator.show(report, asText);
  if (!report.delivered) throw new OperatorError('The endpoint did not take the test.');
}

function explain(error: unknown): never {
  if (!(error instanceof WorkflowFailedError)) throw error;
  if (error.cause instanceof TimeoutFailure) {
    throw new OperatorError('No worker took the test up within a minute: is one running?');
  }
  const { cause } = error;
  const reason = cause instanceof ActivityFailure ? cause.cause?.message : cause?.message;
  throw new OperatorError(`The test could not be made: ${reason ?? error.message}`);
}

function asText({
  host,
  delivered,
  outcome,
  latencyMs,
  webhookId,
  answer,
}: WebhookTestReport): string {
  const head = `${delivered ? 'Delivered' : 'Not delivered'} to ${host}: ${outcome} (${latencyMs} ms, ${webhookId}).`;
  return answer ? `${head}\n\n${answer}` : head;
}
