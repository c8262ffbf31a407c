import { Context } from '@temporalio/activity';
import { addSearchAttributes } from '../../../worker/prepare-namespace.ts';
import type { Database } from '../../../store/db/database.ts';
import { signalLead } from '../../../temporal/lead-lifecycle-client.ts';
import { leadWorkflowId } from '../../../workflows/contracts/lead-lifecycle.ts';
import { startTestApi } from '../../support/api.ts';
import { activateRules, makeTeam } from '../../support/routing.ts';
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
    const create = async () => {
      api.setNow(new Date(await environment.currentTimeMs()));
      return started(environment, leads);
    };
    await activateRules(api.database, []);
    await save('window-closed', environment.client, leadWorkflowId(await create()));
    await activateReassigning(api.database, leads);
    await save('reassigned-twice', environment.client, leadWorkflowId(await create()));
  } finally {
    await workers.stop();
    await api.stop();
    await environment.teardown();
  }
}

async function started({ client }: Environment, leads: LeadActions): Promise<string> {
  const leadId = await leads.create();
  await signalLead(client, leadId, 'created');
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
