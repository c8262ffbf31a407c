import { readFileSync } from 'node:fs';
import { collectPublicNames, RELEASED_NAMES } from './public-names.ts';

const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
const unreleased = changelog.split(/^## /m).find((part) => part.startsWith('Unreleased')) ?? '';

/** Each line's words in backticks. */
const lines = unreleased
  .split(/^- /m)
  .map((line) => [...line.replaceAll(/\s+/g, ' ').matchAll(/`([^`]+)`/g)].map(([code]) => code));

/** A line about `lead assign --reason` names both the command and its option. */
function isNamed(name: string): boolean {
  const parts = name
    .split(/ (?=--)/)
    .map((part) => new RegExp(`(?<![\\w-])${part.replaceAll(/[.${}]/g, '\\$&')}(?![\\w-])`));
  return lines.some((codes) => parts.every((part) => codes.some((code) => part.test(code))));
}

test('CHANGELOG.md names what is new and what is gone since the last release', async () => {
  const present = await collectPublicNames();
  const released = readFileSync(RELEASED_NAMES, 'utf8').trim().split('\n');
  const changed = [...new Set([...present, ...released])].filter(
    (name) => present.includes(name) !== released.includes(name),
  );
  expect(changed.filter((name) => !isNamed(name))).toEqual([]);
});
