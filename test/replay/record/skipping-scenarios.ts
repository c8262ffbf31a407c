import { Context } from '@temporalio/activity';
import { waitUntil } from '../../../dev/wait-until.ts';
import { addSearchAttributes } from '../../../worker/prepare-namespace.ts';
import type { Database } from '../../../store/db/database.ts';
import { signalLead } from '../../../temporal/lead-lifecycle-client.ts';
import { leadWorkflowId } from '../../../workflows/contracts/lead-lifecycle.ts';
import { startTestApi } from '../../support/api.ts';
import { activateRules, makePool, makeTeam } from '../../support/routing.ts';
import { timeSkippingEnvironment } from '../../support/time-skipping.ts';
import { startTestWorkers, testActivityContext } from '../../support/worker.ts';
import { leadActions, type LeadActions } from '../../support/lead-actions.ts';
import type { SaveRun } from '../saved-histories.ts';

type Environment = Awaited<ReturnType<typeof timeSkippingEnvironment>>;

/** The time of the skipping server, which is the only clock that its workflows know. */
const serverTime = () => new Date(Context.current().info.currentAttemptScheduledTimestampMs);

/** Scenarios with the service's real times, hours of them, on a server whose clock jumps over waits. */
export async function recordSkipping(save: SaveRun): Promise<void> {
  const environment = await timeSkippingEnvironment();
  await addSearchAttributes(environment.client);
  const api = await startTestApi({ temporal: environment.client });
  const context = testActivityContext(api.database, api.config, serverTime);
  const workers = await startTestWorkers(context, {
    address: environment.address,
    namespace: environment.namespace ?? 'default',
  });
  try {
    const leads = leadActions(api, environment.client);
    const create = async (meanwhile?: Meanwhile) => {
      api.setNow(new Date(await environment.currentTimeMs()));
      return started(environment, leads, meanwhile);
    };
    await activateRules(api.database, []);
    await save('window-closed', environment.client, leadWorkflowId(await create()));
    await activateReassigning(api.database, leads);
    await save('reassigned-twice', environment.client, leadWorkflowId(await create()));
    await activateWaiting(api.database, leads, environment);
    await save('waited-and-assigned', environment.client, leadWorkflowId(await create()));
    const pauseAll = await activateWaiting(api.database, leads, environment);
    const leadId = await create(pauseAll);
    await save('waited-until-the-limit', environment.client, leadWorkflowId(leadId));
  } finally {
    await workers.stop();
    await api.stop();
    await environment.teardown();
  }
}

type Meanwhile = (leadId: string) => Promise<void>;

async function started({ client }: Environment, leads: LeadActions, meanwhile?: Meanwhile) {
  const leadId = await leads.create();
  await signalLead(client, leadId, 'created');
  await meanwhile?.(leadId);
  await leads.ends(leadId);
  return leadId;
}

async function activateReassigning(database: Database, leads: LeadActions): Promise<void> {
  const agents = [];
  for (let count = 0; count < 4; count += 1) agents.push({ agent: await leads.addAgent() });
  const target = { kind: 'team', teamId: await makeTeam(database, agents) };
  const followUp = { minutes: 15, onExpiry: 'reassign', maxMoves: 2 };
  await activateRules(database, [{ name: 'Sales', target, followUp }]);
}

/** A wait of two hours for an agent whose hours begin in one. Returns what pauses the agent once a lead waits. */
async function activateWaiting(
  database: Database,
  leads: LeadActions,
  environment: Environment,
): Promise<Meanwhile> {
  const nowMs = await environment.currentTimeMs();
  const [start, end] = [1, 9].map((hours) =>
    new Date(nowMs + hours * 3_600_000).toISOString().slice(11, 16),
  );
  const hours = { 'mon-sun': `${start}-${end}` };
  const agent = await leads.addAgent({ time_zone: 'UTC', working_hours: hours });
  const then = { kind: 'pool', poolId: await makePool(database) };
  await activateRules(database, [
    {
      name: 'Night',
      target: { kind: 'agent', agentId: agent.id },
      gates: { availability: 'working_hours' },
      followUp: { minutes: 0 },
      onExhausted: { kind: 'wait', atMostMinutes: 120, then },
    },
  ]);
  return async (leadId) => {
    await waitUntil(() => isWaiting(database, leadId), { what: 'The wait' });
    await database.query('update agents set paused_at = now() where id = $1', [agent.id]);
  };
}

async function isWaiting(database: Database, leadId: string): Promise<void> {
  const waits = await database.query('select from lead_waits where lead_id = $1', [leadId]);
  if (waits.length === 0) throw new Error('it has not begun');
}
