// A reporter that writes the results of the last whole run to a page of docs/: `{ file, suites }`.
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import process from 'node:process';

const TABLE = /\n\| Where and what .*$/s;
const RESULTS = { passed: 'holds', pending: 'not possible there', failed: 'FAILS' };

export default class Table {
  constructor(_, { file, suites }) {
    Object.assign(this, { file, suites });
  }

  onRunComplete(_, { testResults, wasInterrupted, numTotalTestSuites }) {
    const results = testResults.flatMap((file) => file.testResults);
    // A run of some of the tests changes nothing.
    if (wasInterrupted || numTotalTestSuites < this.suites || process.argv.includes('-t')) return;
    const rows = results.map(({ ancestorTitles, title, status, duration }) => {
      const name = [...ancestorTitles, title].join(' ').replaceAll('|', '\\|');
      const seconds = status === 'passed' ? `${((duration ?? 0) / 1000).toFixed(1)} s` : '';
      return `| ${name} | ${RESULTS[status] ?? status} | ${seconds} |`;
    });
    const day = new Date().toISOString().slice(0, 10);
    const machine = `${os.type()} ${os.release().split('-')[0]} ${os.arch()}, ${os.availableParallelism()} processors, ${process.getuid() === 0 ? 'root' : 'not root'}`;
    const head = `| Where and what (${day}, ${machine}) | Result | Took |\n|---|---|---|`;
    const page = readFileSync(this.file, 'utf8').replace(TABLE, '').trimEnd();
    writeFileSync(this.file, `${page}\n\n${[head, ...rows.toSorted()].join('\n')}\n`);
  }
}
