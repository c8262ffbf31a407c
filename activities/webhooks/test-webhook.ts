import { ApplicationFailure } from '@temporalio/common';
import { classifyCall } from '../../domain/webhooks/outcome.ts';
import { sampleData, type EventType } from '../../domain/webhooks/event-payloads.ts';
import { loadEndpoint } from '../../store/webhooks/endpoints.ts';
import type {
  WebhookTestInput,
  WebhookTestReport,
} from '../../workflows/contracts/webhook-test.ts';
import { createCallEndpoint } from './call-endpoint.ts';
import { signedHeaders, validSecrets } from './sign.ts';
import type { WebhookContext } from './webhook-context.ts';

/** Calls an endpoint, switched off or not, with a signed test event, or with the sample of an event. */
export function createTestWebhook({ database, config, now, resolve }: WebhookContext) {
  const call = createCallEndpoint({ ...config.webhooks, resolve });
  return async (input: WebhookTestInput): Promise<WebhookTestReport> => {
    const { endpointId, testId, type } = input;
    const endpoint = await loadEndpoint(database, endpointId);
    if (endpoint === null)
      throw ApplicationFailure.nonRetryable('There is no such endpoint.', 'UnknownEndpoint');
    const at = now();
    const webhookId = `evt_test_${testId}`;
    const data = type
      ? sampleData[type as EventType]
      : { ...sampleData['webhook.test'], endpointId };
    const sample = { type: type ?? 'webhook.test', timestamp: at.toISOString(), data };
    const body = JSON.stringify(sample);
    const secrets = validSecrets(endpoint, config.secretsKey, at);
    const headers = signedHeaders(webhookId, body, secrets, at);
    const result = await call({ ...endpoint, body, headers });
    const { kind, text: outcome } = classifyCall(result, now());
    const hasResponse = result.kind === 'responded';
    return {
      webhookId,
      host: new URL(endpoint.url).host,
      delivered: kind === 'delivered',
      outcome,
      status: hasResponse ? result.status : null,
      latencyMs: result.latencyMs,
      answer: hasResponse ? result.bodyPrefix : null,
    };
  };
}
