// Runs Node with the arguments given, on a Node that is new enough: the one at hand, else the one
// that came with the optional platform package. Plain JavaScript, since an old Node must read it.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 24;
const POLL_INTERVAL_MS = 250;
const SHELLS = ['sh', 'dash', 'bash'];

function bundledNode() {
  const { platform, arch } = process;
  const file = platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  for (const name of [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`]) {
    try {
      return createRequire(import.meta.url).resolve(`${name}/${file}`);
    } catch {
      // Not installed: try the next name.
    }
  }
  console.error(
    `Node ${NEEDED_MAJOR} is needed, this is ${process.version}, and no Node came along for ${platform}-${arch}.\n` +
      `Install Node ${NEEDED_MAJOR} and try again.`,
  );
  process.exit(1);
}

/**
 * Calls `onGone` once when the npm that runs this launcher has ended: after a kill -9 it forwards no
 * signal. Without npm nothing is watched: the shell that started the launcher may end at any time.
 */
function whenNpmIsGone(onGone) {
  if (!process.env.npm_lifecycle_script?.includes('dev/launch.mjs')) return;
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    onGone();
  }, POLL_INTERVAL_MS);
  timer.unref();
}

/** npm itself, or the shell that npm starts a script with and the npm above it. */
function ancestors() {
  const parent = process.ppid;
  try {
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8');
    const isShell = SHELLS.includes(stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')));
    const grandparent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    return isShell ? `${parent} ${grandparent}` : String(parent);
  } catch {
    return String(parent);
  }
}

const isNewEnough = Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR;
const node = isNewEnough ? process.execPath : bundledNode();
const compileCache = fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url));
const env = {
  NODE_COMPILE_CACHE: compileCache, // every start reads hundreds of modules
  MALLOC_ARENA_MAX: '2', // with one for each of its many threads a worker takes 100 MB more
  ...process.env,
  LAUNCHED_BY: String(process.pid),
  PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
};
const child = spawn(node, process.argv.slice(2), { stdio: 'inherit', env });
const forward = (signal) => child.kill(signal);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
// As of a program that a signal ends: 130 after Ctrl-C.
child.on('exit', (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)));
whenNpmIsGone(() => child.kill('SIGTERM'));
