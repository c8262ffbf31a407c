// A reporter that names the test files that have been running for long, and ends a run that hangs.
import path from 'node:path';
import process from 'node:process';
import teardown from '../teardown.mjs';

const LONG_MINUTES = 5;
const LIMIT_MINUTES = 20;

export default class Overdue {
  #since = new Map();

  onRunStart() {
    setInterval(() => this.#report(), LONG_MINUTES * 60_000).unref();
  }

  onTestFileStart({ path: file }) {
    this.#since.set(path.relative('.', file), Date.now());
  }

  onTestFileResult({ path: file }) {
    this.#since.delete(path.relative('.', file));
  }

  #report() {
    for (const [file, since] of this.#since) {
      const minutes = Math.floor((Date.now() - since) / 60_000);
      if (minutes >= LONG_MINUTES) console.error(`… ${file} has been running for ${minutes} min`);
      if (minutes >= LIMIT_MINUTES) void endRun();
    }
  }
}

async function endRun() {
  console.error(`A test file has no end: the run is ended after ${LIMIT_MINUTES} minutes of it.`);
  if (globalThis.testServers) await teardown();
  process.exit(1);
}
