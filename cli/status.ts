import { isTemporalReachable } from '../temporal/connection.ts';
import { readAbandonedVersions, type AbandonedVersion } from '../temporal/worker-versions.ts';
import type { CommandGroup, Operator } from './operator.ts';
import { count } from './text.ts';

export const statusCommand: CommandGroup = (program, run) => {
  program
    .command('status')
    .description('Whether Temporal answers, and which open runs no worker moves on.')
    .action(run(showStatus));
};

interface Status {
  temporal: 'answers' | 'does not answer';
  /** Null where Temporal does not answer. */
  runsWithoutWorker: AbandonedVersion[] | null;
}

const LIMIT_MS = 10_000;

async function showStatus(operator: Operator) {
  const client = await operator.temporal();
  const read = async () => {
    await isTemporalReachable(client, LIMIT_MS);
    return readAbandonedVersions(client);
  };
  const versions = await client.withDeadline(Date.now() + LIMIT_MS, read).catch(() => null);
  const temporal = versions ? 'answers' : 'does not answer';
  operator.show({ temporal, runsWithoutWorker: versions } satisfies Status, statusText);
}

function statusText({ temporal, runsWithoutWorker }: Status): string {
  const first = `Temporal ${temporal}.`;
  if (!runsWithoutWorker) return `${first} Creates still succeed; leads wait until it is back.`;
  if (runsWithoutWorker.length === 0) return `${first} Every open run has workers of its version.`;
  const held = runsWithoutWorker.map(
    ({ deploymentName, buildId, openRuns }) =>
      `${count(openRuns, 'open run')} of version ${deploymentName}:${buildId}: none of its workers runs. ` +
      `Start one with WORKER_DEPLOYMENT=${deploymentName} WORKER_BUILD_ID=${buildId} until they are over.`,
  );
  return [first, ...held].join('\n');
}
