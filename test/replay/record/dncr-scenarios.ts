import { randomUUID } from 'node:crypto';
import { waitUntil } from '../../../dev/wait-until.ts';
import type { DncrCheck } from '../../../workflows/dncr-check.ts';
import { dncrCheckOptions } from '../../../workflows/contracts/dncr-check.ts';
import { startDncrService } from '../../api/dncr/service.ts';

type DncrStage = Awaited<ReturnType<typeof startDncrStage>>;

/** The check of numbers against a simulated registry, which has fault modes. */
export async function startDncrStage(variables: Record<string, string> = {}) {
  const service = await startDncrService({ DNCR_TIMEOUT_SECONDS: '5', ...variables });
  return { ...service, temporal: service.client, seen: new Set<string>() };
}

/** Returns its workflow once that has ended. `meanwhile` is called when it has begun. */
async function check(
  stage: DncrStage,
  phones: readonly string[],
  meanwhile?: (workflowId: string) => Promise<unknown>,
): Promise<string> {
  const answer = stage.check(phones);
  const workflowId = await newCheck(stage);
  stage.seen.add(workflowId);
  await meanwhile?.(workflowId);
  await answer;
  return workflowId;
}

/** Visibility is eventually consistent. */
function newCheck({ temporal, seen }: DncrStage): Promise<string> {
  return waitUntil(
    async () => {
      for await (const { workflowId } of temporal.workflow.list({
        query: "WorkflowType = 'DncrCheck'",
      }))
        if (!seen.has(workflowId)) return workflowId;
      throw new Error('none is listed');
    },
    { what: 'The check', everyMs: 200 },
  );
}

/** The check's numbers were answered after it leased them, by another check. */
async function answeredByAnother(stage: DncrStage): Promise<string> {
  const [{ database }] = stage.apis;
  const other = await check(stage, ['0501110011']);
  const checkId = randomUUID();
  const ids = [checkId, other.replace('dncr/', '')];
  await database.query(
    `insert into dncr_checks (id, client_id, requested_at, outcome, fresh, number_hashes,
       invalid, from_cache)
     select $1::uuid, client_id, requested_at, 'open', fresh, number_hashes,
       invalid, 0 from dncr_checks where id = $2::uuid`,
    ids,
  );
  await database.query(
    `insert into dncr_check_numbers (check_id, phone, number_hash)
     select $1::uuid, phone, number_hash from dncr_check_numbers where check_id = $2::uuid`,
    ids,
  );
  const options = dncrCheckOptions(checkId, 60_000);
  stage.seen.add(options.workflowId);
  await stage.temporal.workflow.execute<typeof DncrCheck>('DncrCheck', options);
  return options.workflowId;
}

/** The answers are recorded, but the worker could not say so before its time was over. */
async function recordedByAnAttemptThatTimedOut(stage: DncrStage): Promise<string> {
  stage.registry.setFaultMode({ mode: 'hang', times: 1 });
  const asked = stage.registry.calls().checks;
  return check(stage, ['0501110006'], async (workflowId) => {
    await waitUntil(() => isAsked(stage, asked), { what: 'The call' });
    await stage.apis[0].database.query(
      `update dncr_check_numbers set status = 'not_registered', dncr_status = 'FALSE',
         checked_at = now(), transaction_id = $1 where check_id = $2`,
      [randomUUID(), workflowId.replace('dncr/', '')],
    );
  });
}

async function isAsked({ registry }: DncrStage, before: number): Promise<void> {
  if (registry.calls().checks === before) throw new Error('not yet');
}

export const dncrScenarios = {
  'dncr-check-answered': (stage: DncrStage) => check(stage, ['0501110001', '0501110002']),
  'dncr-check-answered-by-another': answeredByAnother,
  'dncr-check-second-try'(stage: DncrStage) {
    stage.registry.setFaultMode({ mode: 'fail', times: 1 });
    return check(stage, ['0501110003']);
  },
  'dncr-check-recorded-before': recordedByAnAttemptThatTimedOut,
  'dncr-check-failed'(stage: DncrStage) {
    stage.registry.setFaultMode({ mode: 'fail', times: 2 });
    return check(stage, ['0501110004']);
  },
  'dncr-check-cancelled'(stage: DncrStage) {
    stage.registry.setFaultMode({ mode: 'hang', times: 1 });
    const asked = stage.registry.calls().checks;
    return check(stage, ['0501110005'], async (workflowId) => {
      await waitUntil(() => isAsked(stage, asked), { what: 'The call' });
      await stage.temporal.workflow.getHandle(workflowId).cancel();
    });
  },
};

/** A registry that is asked so rarely, and given up so soon, that a second check has no turn in its time. */
export const startSlowDncrStage = () =>
  startDncrStage({ DNCR_CALLS_PER_SECOND: '0.01', DNCR_TIMEOUT_SECONDS: '2' });

export const slowDncrScenarios = {
  async 'dncr-check-timed-out'(stage: DncrStage) {
    await check(stage, ['0501110007']);
    return check(stage, ['0501110008']);
  },
};
