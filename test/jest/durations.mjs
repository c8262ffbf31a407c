// A reporter that writes how many seconds each file of a whole run took.
import { writeFileSync } from 'node:fs';
import { nameOf } from './longest-first.mjs';

export default class Durations {
  onRunComplete(_contexts, { testResults }) {
    const seconds = testResults
      .map(({ testFilePath, perfStats }) => [nameOf(testFilePath), perfStats.runtime / 1000])
      .map(([name, duration]) => [name, Math.round(duration)])
      .sort(([a], [b]) => a.localeCompare(b));
    const text = JSON.stringify(Object.fromEntries(seconds), null, 2);
    writeFileSync(new URL('durations.json', import.meta.url), `${text}\n`);
  }
}
