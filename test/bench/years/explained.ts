import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { waitUntil } from '../../../dev/wait-until.ts';

/** A statement that Postgres ran. */
export interface ExplainedStatement {
  text: string;
  ms: number;
  /** Tables that it read as a whole. */
  scanned: string[];
}

interface Logged {
  'Query Text': string;
  Plan: Node;
}

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Node[];
}

/**
 * Has Postgres log the plan and time of each statement of new connections to the database of `url`, and returns how to
 * read what a piece of work ran. Nothing else may run on that server meanwhile.
 */
export async function explainAll(url: string, logFile: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = new URL(url).pathname.slice(1);
  for (const setting of [
    `session_preload_libraries = 'auto_explain'`,
    ...['log_min_duration = 0', 'log_analyze = on', 'log_timing = off', `log_format = 'json'`].map(
      (each) => `auto_explain.${each}`,
    ),
  ])
    await client.query(`alter database ${name} set ${setting}`);
  await client.end();

  const marking = new pg.Client({ connectionString: url });
  await marking.connect();
  let marks = 0;
  let read = (await readFile(logFile)).length;

  return {
    async during(work: () => Promise<unknown>): Promise<ExplainedStatement[]> {
      await work();
      marks += 1;
      const mark = `-- mark ${marks}`;
      await marking.query(`select 1 ${mark}`);
      let log = '';
      await waitUntil(
        async () => {
          log = (await readFile(logFile)).subarray(read).toString();
          if (!log.includes(mark)) throw new Error('The log has no mark yet.');
        },
        { what: 'The mark in the log' },
      );
      read += Buffer.byteLength(log);
      return statementsOf(log).filter(({ text }) => !text.includes('-- mark'));
    },
    close: () => marking.end(),
  };
}

/** Lines of an entry after its first begin with a tab. */
const ENTRY = /LOG: {2}duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/g;

function statementsOf(log: string): ExplainedStatement[] {
  return [...log.matchAll(ENTRY)].map(([, ms, json = '']) => {
    const { Plan: plan, 'Query Text': text } = JSON.parse(json.replaceAll(/^\t/gm, '')) as Logged;
    return { text, ms: Number(ms), scanned: scannedBy(plan) };
  });
}

function scannedBy(node: Node): string[] {
  const own = node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scannedBy)];
}
