import { access, chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { cacheFolder } from '../cache-folder.ts';
import { lastLines } from '../process/log-file.ts';
import { startSupervised } from '../process/supervised.ts';
import { silentProgress } from '../progress.ts';
import type { Progress } from '../progress.ts';
import { acquire, onSearchPath } from './acquire.ts';
import { downloadWithSdk } from './get-cli.ts';

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

export const TEST_SERVER_VERSION = '1.38.0';

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>time-skipping</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId>
    <version>${TEST_SERVER_VERSION}</version>
  </dependency></dependencies>
</project>
`;

// The SDK allows it five seconds to start, hence the quick compiler. It kills what it started, but
// is itself killed now and then: the loop ends the server when its parent is gone.
const RUN = `#!/bin/sh
PARENT=$PPID
SELF=$$
(while kill -0 $SELF; do kill -0 $PARENT || kill -9 $SELF; sleep 1; done) >/dev/null 2>&1 &
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m \\
  -cp "$(dirname "$0")/jars/*" io.temporal.testserver.TestServer "$@" 2>>"$(dirname "$0")/server.log"
`;

export const RUN_NAME = 'run';

/** Puts the Java test server, with a script that runs it, into `folder`. */
export async function getTestServer(folder: string, env: Environment): Promise<void> {
  const maven = await onSearchPath('mvn', env['PATH'] ?? '');
  if (maven === null || !(await onSearchPath('java', env['PATH'] ?? ''))) {
    throw new Error('there is no Java with Maven (java and mvn) on PATH');
  }
  await mkdir(path.dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    await writeFile(path.join(draft, 'pom.xml'), POM);
    await copyJars(maven, draft, env, `${folder}.log`);
    await writeFile(path.join(draft, RUN_NAME), RUN);
    await chmod(path.join(draft, RUN_NAME), 0o755);
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function copyJars(
  maven: string,
  cwd: string,
  env: Environment,
  logFile: string,
): Promise<void> {
  const goal = ['dependency:copy-dependencies', '-DoutputDirectory=jars', '-DincludeScope=runtime'];
  const args = ['--quiet', '--batch-mode', ...goal];
  const run = await startSupervised({ name: 'mvn', command: maven, args, env, cwd, logFile });
  const { code } = await run.exited;
  if (code !== 0) throw new Error(`${lastLines(logFile, 3)}\n  (all of it: ${logFile})`);
}
