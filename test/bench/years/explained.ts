import { open } from 'node:fs/promises';
import pg from 'pg';
import { waitUntil } from '../../../dev/wait-until.ts';

/** A statement that Postgres ran. */
interface ExplainedStatement {
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

/** Statements that take less are not logged: a table that has grown is not read as a whole within that. */
const LEAST_MS = 5;
const MEGABYTE = 2 ** 20;

/**
 * Has Postgres log the plan and time of each slower statement of new connections to the database of `url`, and returns how
 * to read what a piece of work ran. Nothing else may run on that server meanwhile.
 */
export async function explainAll(url: string, logFile: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = new URL(url).pathname.slice(1);
  for (const setting of [
    `session_preload_libraries = 'auto_explain'`,
    `auto_explain.log_min_duration = ${LEAST_MS}`,
    'auto_explain.log_analyze = on',
    'auto_explain.log_timing = off',
    `auto_explain.log_format = 'json'`,
    // Personal data, and megabytes where a statement takes the rows of a batch.
    'auto_explain.log_parameter_max_length = 0',
  ])
    await client.query(`alter database ${name} set ${setting}`);
  await client.end();

  const marking = new pg.Client({ connectionString: url });
  await marking.connect();
  const log = await open(logFile);
  let marks = 0;
  let { size: at } = await log.stat();

  /** What the log has got since it was last read. */
  async function readOn(): Promise<string> {
    const parts: Buffer[] = [];
    for (;;) {
      const { bytesRead, buffer } = await log.read(Buffer.alloc(MEGABYTE), 0, MEGABYTE, at);
      if (bytesRead === 0) return Buffer.concat(parts).toString();
      at += bytesRead;
      parts.push(buffer.subarray(0, bytesRead));
    }
  }

  return {
    async during(work: () => Promise<unknown>): Promise<ExplainedStatement[]> {
      await work();
      marks += 1;
      const mark = `mark ${marks}.`;
      await marking.query(`do $$ begin raise log '${mark}'; end $$`);
      let text = '';
      await waitUntil(
        async () => {
          text += await readOn();
          if (!text.includes(mark)) throw new Error('The log has no mark yet.');
        },
        { what: 'The mark in the log' },
      );
      return statementsOf(text);
    },
    async close() {
      await marking.end();
      await log.close();
    },
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
