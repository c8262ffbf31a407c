import { access } from 'node:fs/promises';
import path from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { cacheFolder } from './cache-folder.ts';
import { silentProgress, type Progress } from './progress.ts';
import { acquire } from './temporal/acquire.ts';
import { downloadWithSdk } from './temporal/download.ts';
import { onSearchPath } from './temporal/probe-binary.ts';
import { getTestServer, RUN_NAME, TEST_SERVER_VERSION } from './temporal/test-server.ts';

type Environment = Record<string, string | undefined>;

const TRIES = 6;

/** A Temporal server whose clock jumps over waits; the caller tears it down. */
export async function createTimeSkippingEnvironment(
  env: Environment,
  progress: Progress = silentProgress,
): Promise<TestWorkflowEnvironment> {
  const executable = {
    type: 'existing-path' as const,
    path: await locateTestServer(env, progress),
  };
  for (let tried = 1; ; tried += 1) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
    } catch (error) {
      // On a busy machine it may need longer than the SDK waits.
      if (tried === TRIES) throw error;
    }
  }
}

/** The test server kept from before, the SDK's own download, or the one from Maven Central. */
async function locateTestServer(env: Environment, progress: Progress): Promise<string> {
  const downloaded = path.join(cacheFolder(env), 'bin', 'temporal-test-server');
  const folder = path.join(cacheFolder(env), `time-skipping-${TEST_SERVER_VERSION}`);
  const kept = async () => {
    const hasJava = (await onSearchPath('java', env['PATH'] ?? '')) !== null;
    return (hasJava && (await existing(path.join(folder, RUN_NAME)))) || existing(downloaded);
  };
  const title = 'Getting the time-skipping test server';
  const download = (target: string) => downloadWithSdk('time-skipping', target, env);
  const maven = () => getTestServer(folder, env);
  return (
    (await kept()) ??
    (await acquire(
      { title: `${title} (download)`, target: downloaded, work: download, kept },
      progress,
    )) ??
    (await acquire({ title: `${title} (Maven)`, target: folder, work: maven, kept }, progress).then(
      kept,
    )) ??
    Promise.reject(new Error(NOT_FOUND))
  );
}

const NOT_FOUND =
  'No time-skipping test server was found, and none could be downloaded. Tests that skip time need ' +
  'either internet, from which the SDK gets one, or Java 11 and Maven (java, mvn).';

async function existing(file: string): Promise<string | null> {
  return access(file).then(
    () => file,
    () => null,
  );
}
