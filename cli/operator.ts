import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import Table from 'cli-table3';
import { parseConfig, withoutEmpty } from '../platform/config.ts';
import type { Config } from '../platform/config.ts';
import { connectTemporal } from '../temporal/connection.ts';
import { createDatabase } from '../store/db/database.ts';
import type { Database } from '../store/db/database.ts';
import { connectOrm } from '../store/db/orm.ts';
import { printable, wrapped } from './text.ts';

/** A fault that the operator can mend; its text is all that is shown, and the exit code is 1. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

/** What a command of leadctl works with. Connections open at first use and close at the end. */
export interface Operator {
  readonly config: Config;
  /** Who is asking, for what keeps an author. */
  readonly author: string;
  readonly isJson: boolean;
  database(): Promise<Database>;
  temporal(): Promise<Client>;
  now(): Date;
  /** With `--json` the value itself, else the text made of it. */
  show<T>(value: T, asText: (value: T) => string): void;
  /**
   * As `show`, for a secret: to be waited for within the transaction that keeps it, so that none is
   * kept that nobody has seen, whatever ends the command.
   */
  showSecret<T>(value: T, asText: (value: T) => string): Promise<void>;
  close(): Promise<void>;
}

export async function createOperator(
  variables: Record<string, string | undefined>,
  options: { isJson: boolean; write: (text: string) => Promise<unknown> },
): Promise<Operator> {
  const config = parseConfig(await withRunningStack(withoutEmpty(variables)));
  let database: Promise<Database> | undefined;
  let temporal: ReturnType<typeof connectTemporal> | undefined;
  const textOf = <T>(value: T, asText: (value: T) => string) =>
    `${options.isJson ? JSON.stringify(value, null, 2) : printable(asText(value))}\n`;
  return {
    config,
    author: variables.LEADCTL_AUTHOR || variables.USER || 'operator',
    isJson: options.isJson,
    database: () =>
      (database ??= connectOrm({ url: config.database.url, poolSize: 4 }).then(createDatabase)),
    temporal: async () => (await (temporal ??= connectTemporal(config.temporal))).client,
    now: () => new Date(),
    show: (value, asText) => {
      options.write(textOf(value, asText)).catch(() => undefined); // the output's own error is told
    },
    showSecret: async (value, asText) => {
      await options.write(textOf(value, asText)).catch(() => {
        throw new OperatorError('The secret could not be shown, so nothing was changed.');
      });
    },
    async close() {
      await (await database)?.close();
      await (await temporal)?.close();
    },
  };
}

/** Without an address of its own the command speaks to the stack that `npm start` runs in DATA_DIR. */
async function withRunningStack(
  variables: Record<string, string | undefined>,
): Promise<Record<string, string | undefined>> {
  if (variables.DATABASE_URL) return variables;
  const folder = variables.DATA_DIR ?? '.data';
  try {
    const stack = JSON.parse(await readFile(path.join(folder, 'stack.json'), 'utf8')) as {
      databaseUrl: string;
      temporalAddress: string;
    };
    return {
      ...variables,
      DATABASE_URL: stack.databaseUrl,
      TEMPORAL_ADDRESS: stack.temporalAddress,
      SECRETS_KEY: variables.SECRETS_KEY ?? (await keptKey(folder)),
    };
  } catch {
    throw new OperatorError(
      `No DATABASE_URL is set and no running stack was found in ${folder}. Run npm start, or set DATABASE_URL, TEMPORAL_ADDRESS and SECRETS_KEY.`,
    );
  }
}

/** Not there when the stack was started with a key of its own. */
async function keptKey(folder: string): Promise<string> {
  return (await readFile(path.join(folder, 'secrets.key'), 'utf8')).trim();
}

/** A table for people. */
export function tableText(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  if (rows.length === 0) return 'Nothing found.';
  const table = new Table({ head: [...head], style: { head: [], border: [] } });
  for (const row of rows)
    table.push(
      row.map((cell) => (cell === null || cell === undefined ? '' : wrapped(String(cell)))),
    );
  return table.toString();
}
