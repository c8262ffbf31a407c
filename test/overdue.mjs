// A reporter that names the test files that have been running for long: one that hangs the process
// it runs in is ended by no limit of its own and would leave no word.
import path from 'node:path';

const LONG_MINUTES = 5;

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
    }
  }
}
