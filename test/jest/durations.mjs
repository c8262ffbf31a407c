// A reporter that writes how many seconds each file of a whole run took.
import { writeFileSync } from 'node:fs';
import { nameOf } from './longest-first.mjs';

export default class Durations {
  #startedAt = new Map();
  #seconds = [];

  onTestFileStart({ path: file }) {
    this.#startedAt.set(file, Date.now());
  }

  onTestFileResult({ path: file }) {
    const seconds = Math.round((Date.now() - this.#startedAt.get(file)) / 1000);
    this.#seconds.push([nameOf(file), seconds]);
  }

  onRunComplete() {
    const sorted = this.#seconds.sort(([a], [b]) => a.localeCompare(b));
    const text = JSON.stringify(Object.fromEntries(sorted), null, 2);
    writeFileSync(new URL('durations.json', import.meta.url), `${text}\n`);
  }
}
