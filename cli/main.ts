import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { ConfigurationError } from '../platform/config.ts';
import { errorCode, isConnectionError, isSchemaError } from '../platform/errors.ts';
import { addHelp, loadCommands } from './commands.ts';
import { fileError } from './files.ts';
import { createOperator, OperatorError, type Run } from './operator.ts';
import { oneLine, printable } from './text.ts';

const program = new Command('leadctl')
  .description('The operator’s command of the lead intake service.')
  .option('--json', 'print JSON for programs; errors stay text, on standard error')
  .option('--no-timeout', 'let the database take longer than two minutes for a statement')
  .configureHelp({ showGlobalOptions: true })
  .configureOutput({ outputError: (text, write) => write(`${usageErrorText(text)}\n`) })
  .exitOverride();

const QUERY_CANCELED = '57014';
const IDLE_IN_TRANSACTION = '25P03';

const run: Run =
  (work, needs) =>
  async (...values) => {
    // eslint-disable-next-line no-restricted-properties -- an entry point
    const operator = await createOperator(process.env, {
      ...needs,
      isJson: globals().json === true,
      hasTimeout: globals().timeout,
      write: writeToStdout,
      columns: process.stdout.columns,
      words: given,
    });
    try {
      await work(operator, ...values);
    } finally {
      await operator.close();
    }
  };

const globals = () => program.opts<{ json?: boolean; timeout: boolean }>();

function writeToStdout(text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(text, (error) => (error ? reject(error) : resolve())),
  );
}

process.stdout.once('error', (error) => {
  process.stdout.on('error', () => undefined); // each later write fails as well
  // A closed pipe, as of `head`, does not stop the work. A full disk is an error.
  const isClosed = (error as NodeJS.ErrnoException).code === 'EPIPE';
  if (isClosed) process.exitCode = 0;
  else void report(fileError('The output', 'written', error));
});

// Allowed before or after the command's name.
const GLOBAL_OPTIONS = new Set(['--json', '--no-timeout']);
const given = process.argv.slice(2);
const words = given.filter((argument) => !GLOBAL_OPTIONS.has(argument));
// Commander's own `help` reads only one word of `help lead note`.
const others = words[0] === 'help' ? [...words.slice(1), '--help'] : words;

for (const group of await loadCommands(others)) group(program, run);
addHelp(program);

/** Commander shows the help of the last known command for an unknown command. */
function withoutHelpOfUnknown(line: readonly string[]): readonly string[] {
  let command = program;
  for (const word of line) {
    if (word.startsWith('-') || command.commands.length === 0) return line;
    const child = command.commands.find((each) => each.name() === word);
    if (!child) {
      const takesWord = word === 'help' || command.registeredArguments.length > 0;
      return takesWord ? line : line.filter((each) => each !== '--help' && each !== '-h');
    }
    command = child;
  }
  return line;
}

try {
  const options = given.filter((argument) => GLOBAL_OPTIONS.has(argument));
  await program.parseAsync([...options, ...withoutHelpOfUnknown(others)], { from: 'user' });
} catch (error) {
  await report(error);
}

async function report(error: unknown): Promise<void> {
  const hasExitCode = error instanceof CommanderError || error instanceof OperatorError;
  process.exitCode = hasExitCode ? error.exitCode : 1;
  if (!(error instanceof CommanderError)) process.stderr.write(`${await errorText(error)}\n`);
}

async function errorText(error: unknown): Promise<string> {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof OperatorError || error instanceof ConfigurationError)
    return printable(message);
  const { refusalReason } = await import('../platform/startup-error.ts');
  const reason = refusalReason(error);
  if (reason) return reason;
  if (errorCode(error) === QUERY_CANCELED)
    return 'The database took longer than two minutes: narrow what is asked for, or lift the limit by --no-timeout.';
  if (errorCode(error) === IDLE_IN_TRANSACTION || message.includes('not queryable'))
    return 'The connection to the database was lost, as when a command stands still for two minutes: what was not finished is undone. Run it again.';
  if (isSchemaError(error))
    return `The database is older than this release (${oneLine(message)}): run npm run migrate first.`;
  if (isConnectionError(error)) return `The database cannot be reached: ${oneLine(message)}.`;
  return `leadctl failed: ${oneLine(message)}`;
}

/** Commander quotes the input, which may contain line breaks. */
function usageErrorText(text: string): string {
  const [, error = '', suggestion = ''] =
    /^(.*?)(\n\(Did you mean [^\n]*\?\))?\n$/s.exec(text) ?? [];
  const plain = error.replace('command-argument value', 'the value');
  return `${oneLine(plain)}${suggestion.replace('\n', ' ')}`;
}
