import process from 'node:process';
import type { Client } from '@temporalio/client';
import type { Command } from 'commander';
import { parseConfig, withoutEmpty, type Config } from '../platform/config.ts';
import type { Variables } from './stack.ts';
import { oneLine, printable, withOneLineTexts, writeFor } from './text.ts';

// Loading modules takes most of a command's time, so each command loads only what it needs.

const STATEMENT_TIMEOUT_MS = 120_000;

const WIDTH_WITHOUT_TERMINAL = 80;

/** Shown as its text only. */
export class OperatorError extends Error {
  override name = 'OperatorError';

  readonly exitCode: number;

  constructor(text: string | readonly string[], exitCode = 1) {
    super([text].flat().map(oneLine).join('\n'));
    this.exitCode = exitCode;
  }
}

export type Operator = Awaited<ReturnType<typeof createOperator>>;

interface Needs {
  /** Whether the command works on a stopped stack of `npm start`. */
  worksStopped?: boolean;
}

export type Run = <Arguments extends unknown[]>(
  work: (operator: Operator, ...given: Arguments) => Promise<void>,
  needs?: Needs,
) => (...given: Arguments) => Promise<void>;

/** For a module that takes long to load. */
export const loaded =
  <Arguments extends unknown[]>(
    load: () => Promise<(operator: Operator, ...given: Arguments) => Promise<void>>,
  ) =>
  async (operator: Operator, ...given: Arguments): Promise<void> =>
    (await load())(operator, ...given);

export type CommandGroup = (program: Command, run: Run) => void;

export async function createOperator(
  variables: Variables,
  options: {
    isJson: boolean;
    hasTimeout?: boolean;
    write: (text: string) => Promise<unknown>;
    /** 0 or undefined if unknown. */
    columns?: number;
    writeError?: (text: string) => void;
    words?: readonly string[];
  } & Needs,
) {
  const given = withoutEmpty(variables);
  const { found, stack } = await withStack(given, options.worksStopped);
  const config = parseConfig(found);
  const { url } = config.database;
  const statementTimeoutMs = options.hasTimeout === false ? undefined : STATEMENT_TIMEOUT_MS;
  let opened: ReturnType<typeof openDatabase> | undefined;
  let orm: ReturnType<typeof openOrm> | undefined;
  let temporal: ReturnType<typeof openTemporal> | undefined;
  const database = () => (opened ??= openDatabase({ url, statementTimeoutMs }));
  const { writeError = (text: string) => process.stderr.write(text) } = options;
  const reader = {
    timeZone: config.companyTimeZone,
    width: options.columns || WIDTH_WITHOUT_TERMINAL,
  };
  const textOf = <T>(value: T, asText: (value: T) => string) => {
    if (options.isJson) return `${JSON.stringify(value, null, 2)}\n`;
    return `${printable(writeFor(reader, () => asText(withOneLineTexts(value))))}\n`;
  };
  return {
    config,
    stack,
    author: variables.LEADCTL_AUTHOR || variables.USER || 'operator',
    isJson: options.isJson,
    words: options.words ?? [],
    /** A role that may vacuum the tables, if it is known. */
    ownerDatabaseUrl: found.MIGRATE_DATABASE_URL ?? config.database.url,
    database,
    entityManager: async () => (await (orm ??= openOrm({ url, statementTimeoutMs }))).em.fork(),
    temporal: async () => (await (temporal ??= openTemporal(config.temporal))).client,
    now: () => new Date(),
    /** Shows the value with `--json`, and otherwise its text. `note` goes to standard error with `--json`. */
    show: <T>(value: T, asText: (value: T) => string, note: string | null = null): void => {
      const inText = note !== null && !options.isJson ? `${note}\n` : '';
      options.write(textOf(value, asText) + inText).catch(() => undefined); // main.ts reports it for every command
      if (note !== null && options.isJson) writeError(`${note}\n`);
    },
    /** Writes to standard error. */
    note: (text: string): void => writeError(`${oneLine(text)}\n`),
    /** Await it in the transaction that stores the secret: the transaction fails if the secret could not be shown. */
    showSecret: async <T>(value: T, asText: (value: T) => string): Promise<void> => {
      await options.write(textOf(value, asText)).catch(() => {
        throw new OperatorError('The secret could not be shown, so nothing was changed.');
      });
    },
    async close(): Promise<void> {
      await (await opened)?.close();
      await (await orm)?.close(true);
      await (await temporal)?.close();
    },
  };
}

interface Limits {
  url: string;
  statementTimeoutMs: number | undefined;
}

async function openDatabase(limits: Limits) {
  const { connectDatabase, START_TIMEOUT_MS } = await import('../store/db/database.ts');
  return connectDatabase({ ...limits, poolSize: 4, connectTimeoutMs: START_TIMEOUT_MS });
}

async function openOrm(limits: Limits) {
  const { connectOrm } = await import('../store/db/orm.ts');
  const { START_TIMEOUT_MS } = await import('../store/db/database.ts');
  return connectOrm({ ...limits, poolSize: 1, connectTimeoutMs: START_TIMEOUT_MS });
}

async function openTemporal(config: Config['temporal']) {
  const { connectTemporal } = await import('../temporal/connection.ts');
  return connectTemporal(config);
}

/** Connects to the stack in DATA_DIR unless DATABASE_URL is set. */
async function withStack(variables: Variables, worksStopped = false) {
  if (variables.DATABASE_URL) return { found: variables, stack: null };
  const folder = variables.DATA_DIR ?? '.data';
  const { findStack } = await import('./stack.ts');
  const stack = await findStack(folder, variables);
  if (stack && (stack.stack.isUp || worksStopped)) return stack;
  throw new OperatorError(
    `No DATABASE_URL is set and no running stack was found in ${folder}. Run npm start, or set DATABASE_URL, TEMPORAL_ADDRESS and SECRETS_KEY.`,
  );
}

const TEMPORAL_CONNECT_MS = 30_000;

/** Fails before anything is done if Temporal is unreachable. */
export async function connectToTemporal(
  operator: Operator,
  withinMs = TEMPORAL_CONNECT_MS,
): Promise<Client> {
  const client = await operator.temporal();
  const { isTemporalReachable } = await import('../temporal/connection.ts');
  await isTemporalReachable(client, withinMs).catch(async (error: Error) => {
    const { refusalReason } = await import('../platform/startup-error.ts');
    const reason = refusalReason(error);
    throw new OperatorError(
      `Temporal cannot be reached at ${operator.config.temporal.address}, so nothing was done.${reason ? ` ${reason}` : ''}`,
    );
  });
  return client;
}

/** `outlook` says what may still happen after a timeout. */
export async function withTemporal<T>(
  operator: Operator,
  deadlineMs: number,
  work: (client: Client) => Promise<T>,
  outlook = 'Try again.',
): Promise<T> {
  const client = await connectToTemporal(operator, deadlineMs);
  return client
    .withDeadline(Date.now() + deadlineMs, () => work(client))
    .catch(async (error) => {
      const { status } = await import('@grpc/grpc-js');
      const { hasGrpcStatus } = await import('../temporal/connection.ts');
      const { isGrpcDeadlineError, WorkflowUpdateRPCTimeoutOrCancelledError } =
        await import('@temporalio/client');
      if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error)) {
        const noAnswer = `Temporal gave no answer within ${deadlineMs / 1000} s.`;
        throw new OperatorError(`${noAnswer} Is a worker running? ${outlook}`);
      }
      if (!hasGrpcStatus(error, [status.UNAVAILABLE])) throw error;
      const { address } = operator.config.temporal;
      throw new OperatorError(`The connection to Temporal at ${address} was lost. ${outlook}`);
    });
}
