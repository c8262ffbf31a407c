import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { ConfigurationError } from '../platform/config.ts';
import { isConnectionFault } from '../store/db/connection-error.ts';
import { agentCommands } from './commands/agent.ts';
import { clientCommands } from './commands/client.ts';
import { completionCommand } from './commands/completion.ts';
import { dncrCommands } from './commands/dncr.ts';
import { exportCommand } from './commands/export.ts';
import { historyCommands } from './commands/history.ts';
import { importCommand } from './commands/import.ts';
import { leadCommands } from './commands/lead.ts';
import { rulesCommands } from './commands/rules.ts';
import { tokenCommands } from './commands/token.ts';
import { webhookCommands } from './commands/webhook.ts';
import { showExamples } from './examples.ts';
import { fileFault } from './file-error.ts';
import { createOperator, OperatorError } from './operator.ts';
import type { Operator } from './operator.ts';

/** Runs the work of one command with what it needs, and closes the connections afterwards. */
export type Run = (work: (operator: Operator) => Promise<void>) => Promise<void>;
export type CommandGroup = (program: Command, run: Run) => void;

const groups: readonly CommandGroup[] = [
  clientCommands,
  tokenCommands,
  webhookCommands,
  importCommand,
  exportCommand,
  rulesCommands,
  agentCommands,
  leadCommands,
  historyCommands,
  dncrCommands,
  completionCommand,
];

const program = new Command('leadctl')
  .description('The operator’s command of the lead intake service.')
  .option('--json', 'print JSON for programs')
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError()
  .exitOverride();

const run: Run = async (work) => {
  // eslint-disable-next-line no-restricted-properties -- an entry point
  const operator = await createOperator(process.env, {
    isJson: program.opts<{ json?: boolean }>().json === true,
    write: written,
  });
  try {
    await work(operator);
  } finally {
    await operator.close();
  }
};

function written(text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(text, (error) => (error ? reject(error) : resolve())),
  );
}

for (const group of groups) group(program, run);
showExamples(program);

process.stdout.once('error', (error) => {
  process.stdout.on('error', () => undefined); // each further line fails again
  process.exitCode = outputFault(error);
});

/** `--json` is taken before and after the command's name. */
const words = process.argv.slice(2);
const isJson = words.includes('--json');
const rest = words.filter((word) => word !== '--json');

try {
  await program.parseAsync([...(isJson ? ['--json'] : []), ...rest], { from: 'user' });
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode;
  process.stderr.write(`${faultText(error)}\n`);
  return 1;
}

/** Who reads no further, as `head` does, stops no work that has begun; a full disk is a fault. */
function outputFault(error: NodeJS.ErrnoException): number {
  if (error.code === 'EPIPE') return 0;
  return report(fileFault('The output', 'written', error));
}

function faultText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof OperatorError || error instanceof ConfigurationError) return message;
  if (isConnectionFault(error)) return `The database cannot be reached: ${message}.`;
  return `leadctl failed: ${message}`;
}
