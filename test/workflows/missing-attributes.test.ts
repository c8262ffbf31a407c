import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { pino } from 'pino';
import { startRegistry } from '../../dev/registry.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { runWebhookTest } from '../../temporal/webhook-test-client.ts';
import { createNamespaceCheck, addSearchAttributes } from '../../worker/prepare-namespace.ts';
import { searchAttributes } from '../../workflows/contracts/search-attributes.ts';
import { registryVariables } from '../api/dncr/service.ts';
import { startLiveService } from '../replay/record/live-service.ts';
import { startGrpcProxy } from '../support/grpc-proxy.ts';
import { activateRules } from '../support/routing.ts';
import { connectTo, openBareTemporal } from '../support/temporal.ts';

/** A namespace with one of the search attributes, and a worker that may add none. */
const temporal = await openBareTemporal();
const { target, client } = temporal;
await addSearchAttributes(client, [searchAttributes.leadStatus]);
const refuse = ({ method }: { method: string }) =>
  method === 'AddSearchAttributes' ? 'PERMISSION_DENIED' : null;
const proxy = await startGrpcProxy(target.address, { refuse });
const throughProxy = await connectTo(proxy.address);
const { namespace } = target;
const check = createNamespaceCheck(
  new Client({ connection: throughProxy, namespace }),
  pino({ level: 'silent' }),
);
await check.run();
const registry = await startRegistry();
const service = await startLiveService(registryVariables(registry), {
  lacking: { temporal, missing: check.missing },
});
afterAll(async () => {
  await service.stop();
  await registry.stop();
  await throughProxy.close();
  await proxy.stop();
});

async function attributesOf(leadId: string) {
  const { typedSearchAttributes } = await leadRun(temporal.client, leadId).describe();
  return Object.fromEntries(
    typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
  );
}

async function failedTasks(workflowId: string) {
  const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).filter((event) => event.workflowTaskFailedEventAttributes);
}

test('a check of the registry is answered', async () => {
  const { status, body } = await service.api.call('POST', '/public/dncr/check', {
    body: { phones: ['0501110001'] },
  });
  expect([status, body]).toMatchObject([200, expect.anything()]);
  const [row] = await service.api.database.query<{ id: string }>(`select id from dncr_checks`);
  expect(await failedTasks(`dncr/${row?.id}`)).toEqual([]);
});

test('a test of a webhook is delivered', async () => {
  await service.addListener('tested');
  const [row] = await service.api.database.query<{ id: string }>(
    `select id from webhook_endpoints`,
  );
  const input = { endpointId: String(row?.id), testId: randomUUID() };
  expect(await runWebhookTest(temporal.client, input)).toMatchObject({ delivered: true });
  service.receiver.clear();
});

test('a lead is routed, told of and timed with the search attributes that exist, later with all', async () => {
  await service.addListener('missing', service.api.client);
  const agent = await service.addAgent();
  await activateRules(service.api.database, [{ target: { kind: 'agent', agentId: agent.id } }]);
  const leadId = await service.create();
  await waitUntil(async () => expect(service.receiver.received()).toHaveLength(2), {
    what: 'Both webhooks',
  });
  await waitUntil(
    async () => expect(await attributesOf(leadId)).toMatchObject({ LeadStatus: 'assigned' }),
    { what: 'The status' },
  );
  expect(await attributesOf(leadId)).not.toHaveProperty('AgentId');

  await addSearchAttributes(temporal.client);
  await check.run();
  await service.update(leadId, { source: 'Referral' });
  await waitUntil(async () => expect(await attributesOf(leadId)).toHaveProperty('AgentId'), {
    what: 'The others',
  });
  expect(await attributesOf(leadId)).toMatchObject({ LeadStatus: 'assigned', AgentId: agent.id });
  expect(await failedTasks(`lead/${leadId}`)).toEqual([]);
});
