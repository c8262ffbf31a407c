import { readFile } from 'node:fs/promises';
import { ESLint } from 'eslint';

/** Without types, whose program takes seconds. */
const eslint = new ESLint({
  ruleFilter: ({ ruleId }) => ruleId === 'no-restricted-syntax',
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
});

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

  test('before the loop, its result kept, is not', async () => {
    const text = 'let lead = await refresh';
    expect(await linesReported(LIFECYCLE, text, `${PATCHED}\n${text}`)).toEqual([]);
  });
});
