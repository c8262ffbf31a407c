import { readFile } from 'node:fs/promises';
import { lintWith } from './untyped-lint.ts';

const eslint = lintWith('no-restricted-syntax', 'no-restricted-globals');

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
      'await condition(allHandlersFinished);\n    //',
      `deprecatePatch('wait-first');\nawait condition(allHandlersFinished);\n//`,
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
  const DELIVERIES = 'workflows/webhook-deliveries.ts';
  const FIRST = 'const idOf = ';
  const terms = {
    taskQueue: `taskQueue: taskQueues.webhooks`,
    retry: `retry: { maximumAttempts: 3 }`,
  };
  const proxied = (name: string, { taskQueue, retry }: typeof terms) =>
    `const { score } = ${name}<ScoreActivities>({ startToCloseTimeout: '1 minute', ${taskQueue}, ${retry} });`;

  async function expectRefused(file: string, text: string, planted: string, isRefused = true) {
    const lines = await linesReported(file, text, `${planted}\n${text}`);
    expect([...new Set(lines)]).toEqual(isRefused ? [planted] : []);
  }

  test.each(['proxyActivities', 'proxyLocalActivities', 'workflow.proxyActivities'])(
    'of %s without a limit to their retries are refused',
    async (name) => {
      for (const retry of [
        'retry: { backoffCoefficient: 2 }',
        'retry: { maximumAttempts: Infinity }',
      ])
        await expectRefused(DELIVERIES, FIRST, proxied(name, { ...terms, retry }));
    },
  );

  test.each(['retry: { maximumAttempts: 3 }', `scheduleToCloseTimeout: '10 minutes'`])(
    'with %s are not',
    async (retry) => {
      const planted = proxied('proxyActivities', { ...terms, retry });
      await expectRefused(DELIVERIES, FIRST, planted, false);
    },
  );

  test.each(['summary', 'taskQueue: taskQueues.lifecycle'])(
    'on the queue of routing are refused: %s',
    async (taskQueue) => {
      const planted = proxied('proxyActivities', { ...terms, taskQueue });
      await expectRefused(DELIVERIES, FIRST, planted);
    },
  );

  test('that go outside are refused in the workflow of a lead, however few their attempts', async () => {
    for (const text of ['while (lead) {', 'function expirySummary'])
      await expectRefused(LIFECYCLE, text, proxied('proxyActivities', terms));
  });

  test('that nothing waits for are refused in the workflow of a lead', async () => {
    const planted = `void activities('score').routeLead({ leadId });`;
    await expectRefused(LIFECYCLE, 'timer.set(nextTimer(lead));', planted);
  });

  test.each([
    'await scoreLead(leadId);',
    'const score = await scoreLead(leadId);',
    'const scores = createScores(leadId);',
    'const scores = isScored ? createScores(leadId) : null;',
    'createScores(leadId).start(lead);',
    'const others = [createScores(leadId)];',
  ])(
    'of another file that the loop of a lead may await or forget are refused: %s',
    async (planted) => {
      await expectRefused(LIFECYCLE, 'timer.set(nextTimer(lead));', planted);
    },
  );

  test.each([
    '{ scoreLead }',
    '{ scoreLead as createScore }',
    '{ createScores as scores }',
    '* as scores',
  ])('of another file that a function of the loop may call are refused: %s', async (names) => {
    const planted = `import ${names} from './scores.ts';`;
    await expectRefused(LIFECYCLE, 'import { createWebhookDeliveries }', planted);
  });

  test('of another file that run in besideLoop are not', async () => {
    const [list, planted] = ['[deliveries];', '[deliveries, createScores(leadId)];'];
    expect(await linesReported(LIFECYCLE, list, planted)).toEqual([]);
    const imported = `import { createScores } from './scores.ts';`;
    await expectRefused(LIFECYCLE, 'import { createWebhookDeliveries }', imported, false);
  });

  test.each([
    ['fetch', 'activities/leads/lead-activities.ts', 'const at = now();'],
    ['globalThis.fetch', 'activities/leads/lead-activities.ts', 'const at = now();'],
    ['fetch', 'activities/context.ts', `failure.stack = '';`],
  ])('of the lead, which have none, may not call outside: %s in %s', async (name, file, text) => {
    const call = `void ${name}('https://scores.example/');`;
    expect(await linesReported(file, text, `${call}\n${text}`)).toEqual([call]);
  });
});
