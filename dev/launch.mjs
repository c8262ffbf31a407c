// Runs Node with the given arguments: this Node if it is new enough, else the Node of the optional platform package.
// Plain JavaScript, since an old Node must read it.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 24;
const POLL_INTERVAL_MS = 250;

function bundledNode() {
  const { platform, arch } = process;
  for (const name of [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`]) {
    try {
      return createRequire(import.meta.url).resolve(`${name}/bin/node`);
    } catch {}
  }
  console.error(
    `Node ${NEEDED_MAJOR} is needed, this is ${process.version}. Install it and try again.`,
  );
  process.exit(1);
}

const isNewEnough = Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR;
const node = isNewEnough ? process.execPath : bundledNode();
const env = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)),
  MALLOC_ARENA_MAX: '2', // with one for each of its many threads a worker takes 100 MB more
  ...process.env,
  LAUNCHED_BY: String(process.pid),
  PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
};
const child = spawn(node, process.argv.slice(2), { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)));

// An npm that is ended by SIGKILL forwards no signal. A shell may end while the program runs.
const parent = process.ppid;
const stopWithNpm = () => process.ppid !== parent && child.kill('SIGTERM');
if (process.env.npm_lifecycle_script?.includes('dev/launch.mjs'))
  setInterval(stopWithNpm, POLL_INTERVAL_MS).unref();
