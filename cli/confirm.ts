import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { OperatorError } from './operator.ts';
import type { Operator } from './operator.ts';

/** Asks before a change that cannot be undone, unless `--yes` or `--json` is given. */
export async function confirm(
  { isJson }: Operator,
  what: string,
  { yes }: { yes: boolean },
): Promise<void> {
  if (yes || isJson) return;
  if (!process.stdin.isTTY) {
    throw new OperatorError(
      `${what} This cannot be undone: say --yes to do it without a question.`,
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${what} This cannot be undone. Go on? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new OperatorError('Nothing was done.');
  } finally {
    terminal.close();
  }
}
