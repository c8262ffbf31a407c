// The order of the test files: those that take longest begin first, so that none is left alone at the end. Before them
// come those that only wait for long, beside the static checks of `npm test`, which need the processors.
// `npm run test:durations` measures them anew.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Sequencer from '@jest/test-sequencer';

const FILE = new URL('durations.json', import.meta.url);
const WAITING = [
  'test/activities/webhooks/late-attempts.test.ts', // for timeouts of Temporal
  'test/api/openapi/integration-guide.test.ts', // for servers that do not answer
  'test/e2e/waiting.test.ts', // for the ends of waits
];
const root = path.resolve(import.meta.dirname, '../..');

export const nameOf = (file) => path.relative(root, file).split(path.sep).join('/');

export default class LongestFirst extends Sequencer {
  /** A new file is taken for a long one. */
  sort(tests) {
    const durations = JSON.parse(readFileSync(FILE, 'utf8'));
    const of = ({ path: file }) =>
      WAITING.includes(nameOf(file)) ? Infinity : (durations[nameOf(file)] ?? Infinity);
    return [...tests].sort((a, b) => of(b) - of(a) || a.path.localeCompare(b.path));
  }
}
