import './quiet-temporal.ts';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import process from 'node:process';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { cacheFolder } from '../../dev/cache-folder.ts';
import { freePort } from '../../dev/ports.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { runSupervised } from '../../dev/process/supervised.ts';
import { tryLock } from '../../dev/process/pid-file.ts';
import { downloadWithSdk } from '../../dev/temporal/locate.ts';

const ATTEMPTS = 6;
const START_MS = 300_000;

/** A Temporal server of the test's own whose clock skips timers; `await environment.teardown()` afterwards. */
export async function timeSkippingEnvironment(): Promise<TestWorkflowEnvironment> {
  // eslint-disable-next-line no-restricted-properties -- where to find the server, as a process would
  const { env } = process;
  const { port, end } = await startTestServer(await locateTestServer(env));
  // The SDK allows a server that it starts five seconds: it starts a program that does nothing, and finds this one.
  const nothing = onSearchPath('true', env['PATH']) ?? process.execPath;
  const executable = { type: 'existing-path' as const, path: nothing };
  for (let attempt = 1; ; attempt += 1)
    try {
      const server = { executable, port };
      const environment = await TestWorkflowEnvironment.createTimeSkipping({ server });
      await waitUntil(() => warmUp(environment.client), { what: 'A workflow on the server' });
      const teardown = environment.teardown.bind(environment);
      return Object.assign(environment, { teardown: () => teardown().finally(end) });
    } catch (error) {
      if (attempt < ATTEMPTS) continue;
      end();
      throw error;
    }
}

/** The first workflow takes a busy machine longer than those after it, whose calls have limits. */
async function warmUp({ workflow }: TestWorkflowEnvironment['client']): Promise<void> {
  const options = { workflowId: randomUUID(), taskQueue: randomUUID(), signal: 'none' };
  const handle = await workflow.signalWithStart('None', options);
  await handle.terminate();
}

/** Waits until it listens, however long that takes on a busy machine. */
async function startTestServer(program: string): Promise<{ port: number; end: () => void }> {
  const port = await freePort();
  const server = spawn(program, [String(port), '--enable-time-skipping'], { stdio: 'ignore' });
  const listens = async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect').finally(() => socket.destroy());
  };
  const abandon = () => (server.exitCode === null ? undefined : 'The time-skipping server ended.');
  const end = () => void server.kill('SIGKILL');
  const options = { what: 'The time-skipping server', timeoutMs: START_MS, abandon };
  await waitUntil(listens, options).catch((error: unknown) => {
    end();
    throw error;
  });
  return { port, end };
}

/** The cached test server, the SDK's own download, or the one from Maven Central; found by one test at a time. */
async function locateTestServer(env: NodeJS.ProcessEnv): Promise<string> {
  const folder = path.join(cacheFolder(env), `time-skipping-${TEST_SERVER_VERSION}`);
  const downloaded = path.join(cacheFolder(env), 'bin', 'temporal-test-server');
  const cached = () => {
    const hasJava = onSearchPath('java', env['PATH']) !== null;
    return (hasJava && existing(path.join(folder, RUN_NAME))) || existing(downloaded);
  };
  let lock = tryLock(`${folder}.lock`);
  for (; !lock.isMine; lock = tryLock(`${folder}.lock`)) await sleep(500);
  try {
    if (cached() === null) await acquireTestServer(folder, downloaded, env);
    return cached() ?? Promise.reject(new Error(NOT_FOUND));
  } finally {
    lock.release();
  }
}

async function acquireTestServer(folder: string, downloaded: string, env: NodeJS.ProcessEnv) {
  await mkdir(path.dirname(downloaded), { recursive: true });
  const download = downloadWithSdk(downloaded, env, 'time-skipping');
  await download.catch(() => getTestServer(folder, env)).catch(() => undefined);
}

/** The first executable of that name on the search path. */
function onSearchPath(name: string, searchPath = ''): string | null {
  const places = searchPath.split(path.delimiter).map((place) => path.join(place, name));
  return places.find((place) => existsSync(place)) ?? null;
}

const NOT_FOUND =
  'No time-skipping test server was found, and none could be downloaded. Tests that skip time need ' +
  'either internet, from which the SDK gets one, or Java 11 and Maven (java, mvn).';

const existing = (file: string) => (existsSync(file) ? file : null);

const TEST_SERVER_VERSION = '1.38.0';

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>time-skipping</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId>
    <version>${TEST_SERVER_VERSION}</version>
  </dependency></dependencies>
</project>
`;

// The fast compiler, since the server lives for one test. The loop kills the server when
// its parent has ended: a process that was killed itself tears nothing down.
const RUN = `#!/bin/sh
PARENT=$PPID
SELF=$$
(while kill -0 $SELF; do kill -0 $PARENT || kill -9 $SELF; sleep 1; done) >/dev/null 2>&1 &
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m \\
  -cp "$(dirname "$0")/jars/*" io.temporal.testserver.TestServer "$@" 2>>"$(dirname "$0")/server.log"
`;

const RUN_NAME = 'run';
const COPY_JARS = [
  'dependency:copy-dependencies',
  '-DoutputDirectory=jars',
  '-DincludeScope=runtime',
];

/** Puts the Java test server, with a script that runs it, into `folder`. */
async function getTestServer(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const maven = onSearchPath('mvn', env['PATH']);
  if (maven === null || !onSearchPath('java', env['PATH']))
    throw new Error('there is no Java with Maven (java and mvn) on PATH');
  await mkdir(path.dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    await writeFile(path.join(draft, 'pom.xml'), POM);
    const args = ['--quiet', '--batch-mode', ...COPY_JARS];
    const logFile = `${folder}.log`;
    await runSupervised({ name: 'mvn', command: maven, args, env, cwd: draft, logFile });
    await writeFile(path.join(draft, RUN_NAME), RUN);
    await chmod(path.join(draft, RUN_NAME), 0o755);
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
