import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import { OperatorError, type Operator } from './operator.ts';
import { oneLine } from './text.ts';

export interface Consent {
  dryRun: boolean;
  yes: boolean;
}

export const withConsent = (command: Command): Command =>
  command
    .option('--dry-run', 'say what it would change, and change nothing', false)
    .option('--yes', 'without a question', false);

const NO_UNDO = 'This cannot be undone';

/** `outlook` has no full stop. */
export async function confirm(
  { isJson }: Operator,
  what: string | readonly string[],
  { yes }: { yes: boolean },
  outlook = NO_UNDO,
): Promise<void> {
  if (yes) return;
  const lines = [what].flat().map(oneLine);
  if (!canAsk({ isJson }))
    throw new OperatorError([
      ...lines.slice(0, -1),
      `${lines.at(-1)} ${outlook}: say --yes to do it without a question.`,
    ]);
  const answer = await ask(`${lines.join('\n')} ${outlook}. Go on? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new OperatorError('Nothing was done.');
}

export const canAsk = ({ isJson }: Pick<Operator, 'isJson'>) => !isJson && process.stdin.isTTY;

export const CANCELLED = 130;

export async function ask(
  question: string,
  streams: { input: Readable; output: Writable } = { input: process.stdin, output: process.stderr },
): Promise<string> {
  const terminal = createInterface({ ...streams, terminal: true });
  try {
    return await new Promise((resolve, reject) => {
      terminal.once('SIGINT', () => {
        streams.output.write('\n');
        reject(new OperatorError('Cancelled. Nothing was changed.', CANCELLED));
      });
      terminal.once('close', () => resolve(''));
      terminal.question(question, resolve);
    });
  } finally {
    terminal.close();
  }
}

/**
 * With `--dry-run` the answer is no, and `size`, the figures of `what`, is shown. A person is not asked if
 * there is nothing to change; a script needs `--yes` all the same, so that it does not fail only on the day
 * when there is something.
 */
export async function mayProceed(
  operator: Operator,
  {
    what,
    size,
    warnings,
    outlook,
    isIdle = false,
  }: { what: string; size: object; warnings?: string[]; outlook?: string; isIdle?: boolean },
  { dryRun, yes }: Consent,
): Promise<boolean> {
  const isAgreed = yes || (isIdle && canAsk(operator));
  const lines = [...(warnings ?? []), what].map(oneLine);
  if (dryRun)
    operator.show(
      { dryRun, ...size, ...(warnings && { warnings }) },
      () => `${lines.join('\n')} Nothing was changed yet.`,
    );
  else await confirm(operator, lines, { yes: isAgreed }, outlook);
  return !dryRun;
}
