import type { Sql } from '../../../db/database.ts';
import type { ImportContext, WriteSection } from '../import-context.ts';
import { sum, upsert, withParts } from '../upsert.ts';
import type { Counts, UpsertTable } from '../upsert.ts';

const funnels: UpsertTable = {
  name: 'funnels',
  columns: ['id', 'key', 'name'],
  insertOnly: ['key'],
};
const stages: UpsertTable = {
  name: 'funnel_stages',
  columns: ['id', 'funnel_id', 'position', 'name'],
  key: ['funnel_id', 'name'],
  insertOnly: ['id'],
};

const FIRST_STAGES = ['New', 'Contacted', 'Qualified', 'Closed'];

export const writeFunnels: WriteSection<'funnels'> = async (context, records) => {
  const counts: Counts[] = [];
  for (const { value: funnel } of records) {
    const id = context.ids.of('funnels', funnel.key);
    const row = { id, key: funnel.key, name: funnel.name };
    const written = await upsert(context.sql, funnels, [row], context.onWritten);
    counts.push(withParts(written, await writeStages(context, id, funnel.stages ?? null)));
  }
  return sum(counts);
};

async function writeStages(
  { sql, newId }: ImportContext,
  funnelId: string,
  given: readonly string[] | null,
): Promise<boolean> {
  const names = await stagesOf(sql, funnelId, given);
  const rows = names.map((name, at) => ({
    id: newId(),
    funnel_id: funnelId,
    position: at + 1,
    name,
  }));
  const { created, updated } = await upsert(sql, stages, rows);
  return created + updated > 0;
}

/** Stages that the file leaves out go behind the others: leads may be standing on them. */
async function stagesOf(
  sql: Sql,
  funnelId: string,
  given: readonly string[] | null,
): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select name from funnel_stages where funnel_id = $1 order by position, name`,
    [funnelId],
  );
  const present = rows.map(({ name }) => name);
  if (given === null) return present.length > 0 ? present : FIRST_STAGES;
  return [...new Set([...given, ...present])];
}
