import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { ESLint } from 'eslint';

const RULES = ['no-restricted-syntax', 'no-restricted-globals'];
const eslint = new ESLint({ ruleFilter: ({ ruleId }) => RULES.includes(ruleId) });

/** The lines that lint reports in `file` once `text`, which stands there once, is `planted`. */
async function linesReported(file: string, text: string, planted: string): Promise<string[]> {
  const source = await readFile(file, 'utf8');
  expect(source.split(text)).toHaveLength(2);
  const changed = source.replace(text, () => planted);
  const [result] = await eslint.lintText(changed, { filePath: file });
  return (result?.messages ?? []).map(({ line }) => String(changed.split('\n')[line - 1]).trim());
}

const LIFECYCLE = 'workflows/lead-lifecycle.ts';
const PATCHED = `if (patched('wait-first')) await sleep('1 second');`;

describe('a patch', () => {
  test.each([
    ['in the loop', 'while (lead) {', `while (lead) {\n${PATCHED}`],
    ['in a block of the loop', 'else break;', `else {\n${PATCHED}\n}`],
    [
      'in a function that the loop calls',
      'const summary = refreshSummary(events, known);',
      `const summary = patched('wait-first') ? '' : refreshSummary(events, known);`,
    ],
    [
      'in a function within the workflow',
      'await deliveries.stop();',
      `deprecatePatch('wait-first');\nawait deliveries.stop();`,
    ],
    [
      'in the handler of an update',
      `if (outcome.claimed) pendingEvents`,
      `if (workflow.patched('wait-first')) pendingEvents`,
    ],
  ])('%s is refused', async (_place, text, planted) => {
    const [line, ...others] = await linesReported(LIFECYCLE, text, planted);
    expect(line).toMatch(/patched|deprecatePatch/);
    expect(new Set(others)).toEqual(new Set(others.length > 0 ? [line] : []));
  });

  test('under another name is refused', async () => {
    const lines = await linesReported(
      LIFECYCLE,
      '  condition,',
      '  condition,\n  patched as isNew,',
    );
    expect(lines).toEqual(['patched as isNew,']);
  });

  test('before the loop, its result kept, is not', async () => {
    const text = 'let lead = await refresh';
    expect(await linesReported(LIFECYCLE, text, `${PATCHED}\n${text}`)).toEqual([]);
  });
});

describe('activities', () => {
  const unlimited = (name: string) =>
    `const { score } = ${name}<ScoreActivities>({ startToCloseTimeout: '1 minute', retry: { backoffCoefficient: 2 } });`;

  test.each(['proxyActivities', 'proxyLocalActivities', 'workflow.proxyActivities'])(
    'of %s without a limit to their retries are refused',
    async (name) => {
      const planted = `while (lead) {\n${unlimited(name)}\nawait score({ leadId });`;
      const lines = await linesReported(LIFECYCLE, 'while (lead) {', planted);
      expect(lines).toEqual([unlimited(name)]);
    },
  );

  test('with infinitely many attempts are refused', async () => {
    const planted = unlimited('proxyActivities').replace(
      'backoffCoefficient: 2',
      'maximumAttempts: Infinity',
    );
    expect(await linesReported(LIFECYCLE, 'while (lead) {', `while (lead) {\n${planted}`)).toEqual([
      planted,
    ]);
  });

  test.each(['retry: { maximumAttempts: 3 }', `scheduleToCloseTimeout: '10 minutes'`])(
    'with %s are not',
    async (limit) => {
      const planted = `while (lead) {\n${unlimited('proxyActivities').replace(/retry: {.*?}/, limit)}`;
      expect(await linesReported(LIFECYCLE, 'while (lead) {', planted)).toEqual([]);
    },
  );

  test.each([
    ['fetch', 'activities/leads/lead-activities.ts', 'const at = now();'],
    ['globalThis.fetch', 'activities/leads/lead-activities.ts', 'const at = now();'],
    ['fetch', 'activities/retry-after.ts', `failure.stack = '';`],
  ])('of the lead, which have none, may not call outside: %s in %s', async (name, file, text) => {
    const call = `void ${name}('https://scores.example/');`;
    expect(await linesReported(file, text, `${call}\n${text}`)).toEqual([call]);
  });
});
