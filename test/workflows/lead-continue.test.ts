import { randomUUID } from 'node:crypto';
import { waitUntil } from '../../dev/wait-until.ts';
import { reopenDeliveries } from '../../store/webhooks/deliveries.ts';
import { claimLeadUpdate, type ClaimOutcome } from '../../workflows/contracts/lead-lifecycle.ts';
import { startLiveService } from '../replay/record/live-service.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { activateRules, makePool } from '../support/routing.ts';

/** Nine of them make a history of over 4 MB, at which the server suggests to continue as new. */
const PADDING = 'x'.repeat(500_000);
const CLAIMS = 9;

const service = await startLiveService({
  WEBHOOK_RETRY_SECONDS: '1,1,1',
  WEBHOOK_TIMEOUT_SECONDS: '4',
});
afterAll(() => service.stop());

const runOf = (leadId: string) => leadRun(service.temporal, leadId);
async function pendingOf(leadId: string) {
  const { raw } = await runOf(leadId).describe();
  return raw.pendingActivities?.map(({ activityType }) => activityType?.name);
}

async function fillHistory(leadId: string): Promise<void> {
  const { id: agentId } = await service.addAgent({ active: false });
  for (let count = 0; count < CLAIMS; count += 1) {
    const claim = { agentId, claimId: randomUUID(), padding: PADDING };
    await runOf(leadId).executeUpdate<ClaimOutcome, [unknown]>(claimLeadUpdate.name, {
      args: [claim],
    });
  }
}

const callsFor = (path: string) =>
  service.receiver.received().filter((call) => call.path === `/hooks/${path}`);

test('a run that continues as new loses no delivery that is under way and makes none twice', async () => {
  const poolId = await makePool(service.api.database);
  await activateRules(service.api.database, [{ target: { kind: 'pool', poolId } }]);
  const client = await service.addListener('waiting');
  await service.addListener('hanging', client);
  service.receiver.setBehaviour({
    mode: 'throttle',
    retryAfterSeconds: 3600,
    times: 1,
    path: '/hooks/waiting',
  });
  service.receiver.setBehaviour({ mode: 'hang', times: 1, path: '/hooks/hanging' });
  const leadId = await service.create({}, { client });
  await waitUntil(async () => expect(callsFor('waiting')).toHaveLength(1), { what: 'one call' });
  await waitUntil(async () => expect(callsFor('hanging')).toHaveLength(1), { what: 'the other' });
  const { runId } = await runOf(leadId).describe();

  await fillHistory(leadId);
  await waitUntil(
    async () => {
      if ((await runOf(leadId).describe()).runId === runId) throw new Error('the same run');
    },
    { what: 'The next run' },
  );
  // The call that hung was let end, and its delivery is retried by the next run.
  await waitUntil(async () => expect(callsFor('hanging')).toHaveLength(2), { what: 'the retry' });
  await waitUntil(async () => expect(await pendingOf(leadId)).toEqual(['retryWebhook']), {
    what: 'one left',
  });
  expect(callsFor('waiting')).toHaveLength(1);

  await reopenDeliveries(
    service.api.database,
    { eventId: callsFor('waiting')[0]?.id ?? '', endpointId: null, since: null },
    new Date(),
  );
  await runOf(leadId).signal('leadEvent', { event: 'resent' });
  await waitUntil(async () => expect(callsFor('waiting')).toHaveLength(2), { what: 'the resend' });
  await waitUntil(
    async () => {
      const open = await service.api.database.query(
        `select event_id from webhook_deliveries where lead_id = $1 and status <> 'delivered'`,
        [leadId],
      );
      expect(open).toEqual([]);
    },
    { what: 'Every delivery' },
  );
  expect(new Set(service.receiver.received().map(({ id }) => id)).size).toBe(1);
});
