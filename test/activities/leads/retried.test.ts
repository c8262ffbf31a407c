import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { LeadActivities } from '../../../activities/leads/lead-activities.ts';
import { insertHandOver } from '../../../store/assignment/hand-overs.ts';
import { startIntake, type TestApi } from '../../support/api.ts';
import { activateRules, makeAgent, makePool, makeTeam } from '../../support/routing.ts';
import { leadActivities } from '../../support/worker.ts';

type Name = keyof LeadActivities;
type Input<Of extends Name> = Parameters<LeadActivities[Of]>[0];

let api: TestApi;
let agentId: string;
let targets: { pool: object; team: object };
beforeAll(async () => {
  api = await startIntake();
  const agents = await Promise.all([1, 2].map(() => makeAgent(api.database)));
  agentId = agents[0]?.id ?? '';
  const teamId = await makeTeam(
    api.database,
    agents.map((agent) => ({ agent })),
  );
  const poolId = await makePool(api.database);
  targets = { pool: { kind: 'pool', poolId }, team: { kind: 'team', teamId } };
});
afterAll(() => api.stop());

interface Call<Of extends Name> {
  /** Where the rules bring the lead first; without it they do not. */
  from?: keyof typeof targets;
  afterHours?: number;
  isRead?: true;
  inputFor(leadId: string): Input<Of> | Promise<Input<Of>>;
}

const ofLead = (leadId: string) => ({ leadId });

const calls: { readonly [Of in Name]: Call<Of> } = {
  readLead: { from: 'team', isRead: true, inputFor: ofLead },
  routeLead: { inputFor: ofLead },
  routeWaitingLeads: { isRead: true, inputFor: ofLead },
  expireFollowUp: {
    from: 'team',
    afterHours: 1,
    inputFor: (leadId) => ({ leadId, round: 1, moves: 0 }),
  },
  claimLead: { from: 'pool', inputFor: (leadId) => ({ leadId, agentId, claimId: randomUUID() }) },
  handOverLead: {
    from: 'team',
    async inputFor(leadId) {
      const handOverId = randomUUID();
      const request = {
        releasedAgentId: null,
        onlyWaiting: false,
        movesResponded: false,
        movesPersonal: false,
      };
      const by = { author: 'noor', reason: null, leadId, now: new Date() };
      const target = { kind: 'rules' } as const;
      await insertHandOver(api.database, { id: handOverId, target, ...request, ...by });
      return { leadId, handOverId };
    },
  },
  closeMergeWindow: { from: 'pool', afterHours: 25, inputFor: ofLead },
};

function activitiesAfter(hours = 0): LeadActivities {
  const now = () => new Date(Date.now() + hours * 3_600_000);
  return leadActivities(api, now);
}

const TABLES = ['assignments', 'timeline_notes', 'webhook_events', 'lead_outbox', 'lead_waits'];

async function rowsOf(leadId: string): Promise<object | null> {
  const ofTables = TABLES.map(
    (table) =>
      `(select jsonb_agg(to_jsonb(r) order by r::text) from ${table} r where lead_id = :leadId)`,
  );
  return api.database.queryOne(
    `select to_jsonb(l) as lead, ${ofTables.map((rows, at) => `${rows} as "${TABLES[at]}"`)}
     from leads l where id = :leadId`,
    { leadId },
  );
}

/** Temporal retries an activity whose result was lost, too. */
test.each(Object.keys(calls) as Name[])('%s that is retried does nothing more', async (name) => {
  const { from, afterHours, isRead = false, inputFor } = calls[name] as Call<Name>;
  const followUp = { minutes: 5, onExpiry: 'reassign' };
  await activateRules(api.database, [{ target: targets[from ?? 'team'], followUp }]);
  const { id: leadId } = await api.create();
  if (from) await activitiesAfter().routeLead({ leadId });
  const input = await inputFor(leadId);
  const before = await rowsOf(leadId);
  const run = () =>
    (activitiesAfter(afterHours)[name] as (input: object) => Promise<unknown>)(input);
  const result = await run();
  const after = await rowsOf(leadId);
  expect(isDeepStrictEqual(after, before)).toBe(isRead);
  expect(await run()).toEqual(result);
  expect(await rowsOf(leadId)).toEqual(after);
});
