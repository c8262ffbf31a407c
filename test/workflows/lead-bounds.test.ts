import { randomUUID } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { waitUntil } from '../../dev/wait-until.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import {
  claimLeadUpdate,
  leadEventSignal,
  type ClaimOutcome,
} from '../../workflows/contracts/lead-lifecycle.ts';
import { startLiveService } from '../replay/record/live-service.ts';
import { activateRules, makeAgent, makePool, makeTeam } from '../support/routing.ts';

const service = await startLiveService({});
const { api, create } = service;
afterAll(() => service.stop());

const handleOf = (leadId: string) => leadRun(service.temporal, leadId);

async function shown(leadId: string) {
  const { status, runId, typedSearchAttributes } = await handleOf(leadId).describe();
  const attributes = Object.fromEntries(
    typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
  );
  return { status: status.name, runId, attributes };
}

async function shows(leadId: string, leadStatus: string) {
  return waitUntil(
    async () => {
      const found = await shown(leadId);
      if (found.attributes['LeadStatus'] !== leadStatus) throw new Error(JSON.stringify(found));
      return found;
    },
    { what: `a page that says ${leadStatus}` },
  );
}

async function poolLead(): Promise<string> {
  const poolId = await makePool(api.database);
  await activateRules(api.database, [{ target: { kind: 'pool', poolId } }]);
  const leadId = await create();
  await shows(leadId, 'pool');
  return leadId;
}

/** Also with no argument at all, which the client's types forbid. */
function claim(leadId: string, ...args: [unknown?]): Promise<ClaimOutcome> {
  const options = { args: args as [unknown] };
  return handleOf(leadId).executeUpdate<ClaimOutcome, [unknown]>(claimLeadUpdate.name, options);
}

describe('what somebody types into the Web UI', () => {
  test.each<[string, unknown[]]>([
    ['nothing', []],
    ['a text', ['created']],
    ['an unknown event', [{ event: 'x'.repeat(10_000) }]],
  ])('as a signal, %s, refreshes the lead and stops no run', async (_what, args) => {
    await activateRules(api.database, []);
    const leadId = await create();
    await shows(leadId, 'unassigned');
    const agent = await makeAgent(api.database);
    await activateRules(api.database, [{ target: { kind: 'agent', agentId: agent.id } }]);
    await api.call('PUT', `/public/leads/${leadId}`, { body: { priority: 'high' } });
    await handleOf(leadId).signal(leadEventSignal.name, ...args);
    expect((await shows(leadId, 'assigned')).attributes['AgentId']).toBe(agent.id);
  });

  test.each<[string, [unknown?], string]>([
    ['nothing', [], 'agentId is not a uuid.'],
    ['an agent by e-mail', [{ agentId: 'sara@agency.example' }], 'agentId is not a uuid.'],
    ['no id of its own', [{ agentId: randomUUID() }], 'claimId is not a uuid.'],
  ])('as a claim with %s is refused and leaves no trace', async (_what, args, why) => {
    const leadId = await poolLead();
    const refused = await claim(leadId, ...args).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WorkflowUpdateFailedError);
    expect((refused as WorkflowUpdateFailedError).cause?.message).toBe(why);
    const { events = [] } = await handleOf(leadId).fetchHistory();
    expect(events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toEqual(
      [],
    );
  });
});

test('a funnel with a name of whatever length leaves the run alone and is shown by its beginning', async () => {
  const name = `مسار 🏠 ${'ش'.repeat(15_000)}`;
  await api.database.query(`update funnels set name = $1 where key = 'leasing'`, [name]);
  await api.database.query(`update reference_state set version = version + 1`);
  await activateRules(api.database, []);
  const leadId = await create({ funnel: 'leasing' });
  const { status, attributes } = await shows(leadId, 'unassigned');
  expect(status).toBe('RUNNING');
  expect(attributes['Funnel']).toBe(Array.from(name).slice(0, 255).join(''));
});

test('a long reason is cut off on the page and kept in full in Postgres', async () => {
  const agent = await makeAgent(api.database, { active: false });
  const teamId = await makeTeam(api.database, [agent]);
  const rules = Array.from({ length: 110 }, (_, index) => ({
    name: `${index} ${'r'.repeat(20_000)}`,
    target: { kind: 'team', teamId },
  }));
  await activateRules(api.database, rules);
  const leadId = await create();
  expect((await shows(leadId, 'unassigned')).status).toBe('RUNNING');
  const page = await handleOf(leadId).query<{ currentDetails: string }>(
    '__temporal_workflow_metadata',
  );
  expect(page.currentDetails).toContain('No rule placed the lead');
  expect(page.currentDetails.length).toBeLessThan(2000);
  const [row] = await api.database.query<{ length: number }>(
    `select length(reason) as length from assignments where lead_id = $1`,
    [leadId],
  );
  expect(row?.length).toBeGreaterThan(110 * 20_000);
});
