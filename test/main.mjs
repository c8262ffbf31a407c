// Runs every test; a file that failed is run once more, alone, and the end says which needed that.
// Some tests kill, freeze and starve real servers, which a machine may now and then not stand.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** More than these are no accident. */
const MOST_AGAIN = 5;
/** Of one run: six times what it takes on two cores. */
const LIMIT_MINUTES = 40;

/** The test files that failed; null where the run itself broke, or had no end. */
async function run(args) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lead-intake-run-'));
  const report = path.join(folder, 'report.json');
  try {
    const code = await jest(['--json', '--outputFile', report, ...args]);
    if (code === 0) return [];
    const { testResults } = JSON.parse(await readFile(report, 'utf8'));
    const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
    return failed.length > 0 ? failed : null;
  } catch {
    return null;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** In a process group of its own, which can be ended whole. */
async function jest(args) {
  const options = { stdio: 'inherit', detached: true };
  const child = spawn('npm', ['run', '--silent', 'jest', '--', ...args], options);
  const end = (signal) => process.kill(-child.pid, signal);
  const onSignal = () => end('SIGTERM');
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, onSignal);
  const limit = setTimeout(() => {
    console.error(`\nThe tests have not ended in ${LIMIT_MINUTES} minutes: they are stopped.`);
    end('SIGKILL'); // their servers end with them
  }, LIMIT_MINUTES * 60_000);
  const [code] = await once(child, 'exit');
  clearTimeout(limit);
  for (const signal of signals) process.off(signal, onSignal);
  return code;
}

async function main() {
  const failed = await run([]);
  if (failed === null || failed.length > MOST_AGAIN) return 1;
  if (failed.length === 0) return 0;
  const names = failed.map((file) => path.relative('.', file)).join(', ');
  console.error(`\nOnce more, one after the other: ${names}\n`);
  const again = await run(['--runInBand', '--runTestsByPath', ...failed]);
  if (again === null || again.length > 0) return 1;
  console.error(`\nPassed, but these only when run alone: ${names}. Find out why.`);
  return 0;
}

process.exitCode = await main();
