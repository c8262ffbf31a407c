import { waitUntil } from '../../../dev/wait-until.ts';
import { startDncrService, type DncrService } from '../../api/dncr/service.ts';
import type { SaveRun } from '../saved-histories.ts';

/** Checks of numbers against a simulated registry in each fault mode that matters. */
export async function recordDncr(save: SaveRun): Promise<void> {
  const service = await startDncrService();
  const seen = new Set<string>();
  const keep = async (scenario: string) => {
    const workflowId = await newCheck(service, seen);
    seen.add(workflowId);
    await save(scenario, service.client, workflowId);
  };
  try {
    await service.check(['0501110001', '0501110002']);
    await keep('dncr-check-answered');
    service.registry.setFaultMode({ mode: 'fail', times: 1 });
    await service.check(['0501110003']);
    await keep('dncr-check-second-try');
    service.registry.setFaultMode({ mode: 'fail' });
    await service.check(['0501110004']);
    await keep('dncr-check-failed');
  } finally {
    await service.stop();
  }
}

/** Visibility is eventually consistent. */
function newCheck({ client }: DncrService, seen: ReadonlySet<string>): Promise<string> {
  const query = "WorkflowType = 'DncrCheck' and ExecutionStatus != 'Running'";
  return waitUntil(
    async () => {
      for await (const { workflowId } of client.workflow.list({ query }))
        if (!seen.has(workflowId)) return workflowId;
      throw new Error('none is listed');
    },
    { what: 'The check', everyMs: 200 },
  );
}
