import { readFile } from 'node:fs/promises';
import { mutate, readMutants } from './mutants.ts';

const root = new URL('../../../', import.meta.url);
const read = (file: string) => readFile(new URL(file, root), 'utf8');

const mutants = await readMutants();

describe('the mutants of the workflows', () => {
  test('are changes of the code as it is', async () => {
    for (const mutant of mutants) {
      const source = await read(`workflows/${mutant.file}`);
      expect(mutate(mutant, source)).not.toBe(source);
    }
  });

  test('are each another one', () => {
    const texts = mutants.map(({ change: _, isSafe: __, ...mutant }) => JSON.stringify(mutant));
    expect(texts).toHaveLength(new Set(texts).size);
  });

  test('are as many as docs/replay.md says, line by line', async () => {
    const counted = new Map<string, { isSafe: boolean; count: number }>();
    for (const { change, isSafe } of mutants)
      counted.set(change, { isSafe, count: (counted.get(change)?.count ?? 0) + 1 });
    const expected = [...counted].map(([change, { isSafe, count }]) => [
      change,
      isSafe ? 'yes' : '**no**',
      String(count),
      String(isSafe ? 0 : count),
    ]);
    expect(await documentedLines()).toEqual(expected);
  });
});

test.each(['gone', 'let lead'])(
  'a text that the file does not have once is an error: %j',
  (text) => {
    const mutant = { file: 'x.ts', text, becomes: '', change: '', isSafe: true };
    expect(() => mutate(mutant, 'let lead = 1; let leads = 2;')).toThrow(
      'x.ts does not have this text',
    );
  },
);

/** The cells of the table of changes and mutants. */
async function documentedLines(): Promise<string[][]> {
  const [, table = ''] =
    /^\| Change .*\| Mutants .*\n\|[- |]+\n((?:\|.*\n)+)/m.exec(await read('docs/replay.md')) ?? [];
  const rows = table.trim().split('\n');
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
