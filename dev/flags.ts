import { Command, InvalidArgumentError } from 'commander';

/** The command line of a program that is started as `npm run <name> --`. */
export function npmCommand(name: string): Command {
  return new Command(`npm run ${name} --`).showHelpAfterError();
}

/** Parsers of the values of options. */

export function wholeNumber(from: number, to = Number.MAX_SAFE_INTEGER) {
  const range = to === Number.MAX_SAFE_INTEGER ? `of at least ${from}` : `from ${from} to ${to}`;
  return matching(/^\d+$/, { from, to, expected: `Expected a whole number ${range}.` });
}

export function decimalNumber(from: number, to: number) {
  return matching(/^\d+(\.\d+)?$/, {
    from,
    to,
    expected: `Expected a number from ${from} to ${to}.`,
  });
}

interface Range {
  from: number;
  to: number;
  expected: string;
}

function matching(pattern: RegExp, { from, to, expected }: Range): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (pattern.test(text) && number >= from && number <= to) return number;
    throw new InvalidArgumentError(expected);
  };
}
