import { Context } from '@temporalio/activity';
import { waitUntil } from '../../../dev/wait-until.ts';
import { addSearchAttributes } from '../../../worker/prepare-namespace.ts';
import type { Database } from '../../../store/db/database.ts';
import { startTestApi } from '../../support/api.ts';
import { activateRules, makePool, makeTeam } from '../../support/routing.ts';
import { timeSkippingEnvironment } from '../../support/time-skipping.ts';
import { startTestWorkers, testActivityContext } from '../../support/worker.ts';
import { leadActions } from '../../support/lead-actions.ts';
import { signalLead } from '../../support/temporal.ts';
import { ended } from './lead-scenarios.ts';

type SkippingStage = Awaited<ReturnType<typeof startSkippingStage>>;

/** The service with its real times, hours of them, on a server whose clock jumps over waits. */
export async function startSkippingStage() {
  const environment = await timeSkippingEnvironment();
  const { client: temporal, address, namespace = 'default' } = environment;
  await addSearchAttributes(temporal);
  const api = await startTestApi({ temporal });
  const clock = { behindMs: 0 };
  /** The time of the skipping server, which is the only clock that its workflows know. */
  const workerTime = () =>
    new Date(Context.current().info.currentAttemptScheduledTimestampMs - clock.behindMs);
  const context = testActivityContext(api.database, api.config, workerTime);
  const workers = await startTestWorkers(context, { address, namespace });
  return {
    ...leadActions(api, temporal),
    environment,
    temporal,
    database: api.database,
    workerClock: clock,
    setApiNow: async () => api.setNow(new Date(await environment.currentTimeMs())),
    async stop() {
      await workers.stop();
      await api.stop();
      await environment.teardown();
    },
  };
}

type Meanwhile = (leadId: string) => Promise<void>;

/** A lead whose run has ended. */
async function finished(stage: SkippingStage, meanwhile?: Meanwhile): Promise<string> {
  await stage.setApiNow();
  const leadId = await stage.create();
  await signalLead(stage.temporal, leadId, 'created');
  await meanwhile?.(leadId);
  return ended(stage, leadId);
}

export const skippingScenarios = {
  async 'window-closed'(stage: SkippingStage) {
    await activateRules(stage.database, []);
    return finished(stage);
  },
  async 'reassigned-twice'(stage: SkippingStage) {
    await activateReassigning(stage);
    return finished(stage);
  },
  async 'waited-and-assigned'(stage: SkippingStage) {
    await activateWaiting(stage);
    return finished(stage);
  },
  async 'waited-until-the-limit'(stage: SkippingStage) {
    const { pauseAgent } = await activateWaiting(stage);
    return finished(stage, pauseAgent);
  },
  async 'waited-longer'(stage: SkippingStage) {
    const { startLater } = await activateWaiting(stage);
    return finished(stage, async (leadId) => {
      await startLater(leadId);
      await stage.environment.sleep('75 minutes');
      await signalLead(stage.temporal, leadId, 'recover');
    });
  },
  async 'waited-and-refreshed'(stage: SkippingStage) {
    await activateWaiting(stage);
    return finished(stage, async (leadId) => {
      await waitUntil(() => isWaiting(stage.database, leadId), { what: 'The wait' });
      await signalLead(stage.temporal, leadId, 'recover');
    });
  },
  async 'waited-by-a-slow-clock'(stage: SkippingStage) {
    await activateWaiting(stage);
    return withSlowClock(stage, () => finished(stage));
  },
  async 'follow-up-by-a-slow-clock'(stage: SkippingStage) {
    await activateReassigning(stage);
    return withSlowClock(stage, () => finished(stage));
  },
};

/** Temporal's timers expire before they are due by the clock of the worker. */
async function withSlowClock<T>({ workerClock }: SkippingStage, scenario: () => Promise<T>) {
  workerClock.behindMs = 1500;
  try {
    return await scenario();
  } finally {
    workerClock.behindMs = 0;
  }
}

async function activateReassigning({ database, addAgent }: SkippingStage): Promise<void> {
  const agents = [];
  for (let count = 0; count < 4; count += 1) agents.push(await addAgent());
  const target = { kind: 'team', teamId: await makeTeam(database, agents) };
  const followUp = { minutes: 15, onExpiry: 'reassign', maxMoves: 2 };
  await activateRules(database, [{ name: 'Sales', target, followUp }]);
}

/** A wait of two hours for an agent whose hours begin in one. Returns what pauses the agent once a lead waits. */
async function activateWaiting({ database, addAgent, environment }: SkippingStage) {
  const nowMs = await environment.currentTimeMs();
  const agent = await addAgent({ time_zone: 'UTC', working_hours: hoursFrom(nowMs, 1) });
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
  const onceWaiting =
    (sql: string, ...values: unknown[]): Meanwhile =>
    async (leadId) => {
      await waitUntil(() => isWaiting(database, leadId), { what: 'The wait' });
      await database.query(sql, [agent.id, ...values]);
    };
  const later = JSON.stringify(hoursFrom(nowMs, 1.5));
  return {
    pauseAgent: onceWaiting('update agents set paused_at = now() where id = $1'),
    startLater: onceWaiting('update agents set working_hours = $2::jsonb where id = $1', later),
  };
}

/** Eight working hours a day that begin in so many hours. */
function hoursFrom(nowMs: number, hours: number) {
  const times = [hours, hours + 8].map((each) => new Date(nowMs + each * 3_600_000));
  const [start, end] = times.map((time) => time.toISOString().slice(11, 16));
  return { 'mon-sun': `${start}-${end}` };
}

async function isWaiting(database: Database, leadId: string): Promise<void> {
  const waits = await database.query('select from lead_waits where lead_id = $1', [leadId]);
  if (waits.length === 0) throw new Error('it has not begun');
}
