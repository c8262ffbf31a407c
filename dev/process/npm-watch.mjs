// Plain JavaScript, for the launcher.
import { readFileSync } from 'node:fs';
import process from 'node:process';

const LOOK_EVERY_MS = 250;
const SHELLS = ['sh', 'dash', 'bash'];

/**
 * Calls `onGone` once when the npm that runs the launcher is gone: killed by force it tells nobody.
 * Started otherwise, nothing is watched: the shell that did it may leave as it likes.
 */
export function whenNpmIsGone(onGone) {
  if (!process.env.npm_lifecycle_script?.includes('dev/launch.mjs')) return;
  const before = elders();
  const timer = setInterval(() => {
    if (elders() === before) return;
    clearInterval(timer);
    onGone();
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** npm itself, or the shell that npm starts a script with and the npm above it. */
function elders() {
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
