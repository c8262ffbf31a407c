import process from 'node:process';
import { Command, InvalidArgumentError } from 'commander';

export function npmCommand(name: string): Command {
  return new Command(`npm run ${name} --`).showHelpAfterError();
}

/** Exits with the code that `main` returns, or with 1 after an error. */
export async function runMain(
  main: () => Promise<number>,
  describeError = (error: unknown) => (error instanceof Error ? error.message : String(error)),
): Promise<void> {
  // The pipe was closed, as by `head`.
  process.stdout.on('error', () => process.exit(1));
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(describeError(error));
    process.exitCode = 1;
  }
}

export function wholeNumber(from: number, to = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= from && number <= to) return number;
    const range = to === Number.MAX_SAFE_INTEGER ? `of at least ${from}` : `from ${from} to ${to}`;
    throw new InvalidArgumentError(`Expected a whole number ${range}.`);
  };
}
