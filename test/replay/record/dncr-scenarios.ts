import { waitUntil } from '../../../dev/wait-until.ts';
import { startDncrService } from '../../api/dncr/service.ts';

type DncrStage = Awaited<ReturnType<typeof startDncrStage>>;

/** The check of numbers against a simulated registry, which has fault modes. */
export async function startDncrStage() {
  const service = await startDncrService();
  return { ...service, temporal: service.client, seen: new Set<string>() };
}

async function check(stage: DncrStage, ...phones: string[]): Promise<string> {
  await stage.check(phones);
  const workflowId = await newCheck(stage);
  stage.seen.add(workflowId);
  return workflowId;
}

/** Visibility is eventually consistent. */
function newCheck({ temporal, seen }: DncrStage): Promise<string> {
  const query = "WorkflowType = 'DncrCheck' and ExecutionStatus != 'Running'";
  return waitUntil(
    async () => {
      for await (const { workflowId } of temporal.workflow.list({ query }))
        if (!seen.has(workflowId)) return workflowId;
      throw new Error('none is listed');
    },
    { what: 'The check', everyMs: 200 },
  );
}

export const dncrScenarios = {
  'dncr-check-answered': (stage: DncrStage) => check(stage, '0501110001', '0501110002'),
  'dncr-check-second-try'(stage: DncrStage) {
    stage.registry.setFaultMode({ mode: 'fail', times: 1 });
    return check(stage, '0501110003');
  },
  'dncr-check-failed'(stage: DncrStage) {
    stage.registry.setFaultMode({ mode: 'fail', times: 2 });
    return check(stage, '0501110004');
  },
};
