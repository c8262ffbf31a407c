import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import pg from 'pg';
import { readable } from '../replay/payloads.ts';

/** Every row of every table as a text, with what the planner's statistics hold of the values; by table. */
export async function readWholeDatabase(adminUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    const texts: Record<string, string> = {};
    for (const { name } of [...tables, { name: 'pg_stats' }]) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      texts[name] = rows.map(({ row }) => row).join('\n');
    }
    return texts;
  } finally {
    await client.end();
  }
}

/** What Temporal keeps of all runs of a namespace: as it is listed, described and in each history. */
export async function readWholeTemporal(client: Client): Promise<string[]> {
  const texts: string[] = [];
  for await (const { workflowId, runId, raw } of client.workflow.list()) {
    const run = client.workflow.getHandle(workflowId, runId);
    const { raw: described } = await run.describe();
    const pages = [
      JSON.stringify(raw),
      JSON.stringify(described),
      historyToJSON(await run.fetchHistory()),
    ];
    texts.push(...pages, ...pages.map(readable));
  }
  return texts;
}
