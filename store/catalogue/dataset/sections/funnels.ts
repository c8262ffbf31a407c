import type { Sql } from '../../../db/database.ts';
import { Funnel, FunnelStage } from '../../../tables/lists.ts';
import type { ImportContext, WriteSection } from '../write-rows.ts';
import { countNested, sum, upsert, upsertTable, type Counts } from '../upsert.ts';

const funnels = upsertTable(Funnel, { insertOnly: ['key'] });
const stages = upsertTable(FunnelStage, { key: ['funnel_id', 'name'], insertOnly: ['id'] });

const DEFAULT_STAGES = ['New', 'Contacted', 'Qualified', 'Closed'];

export const writeFunnels: WriteSection<'funnels'> = async (context, records) => {
  const counts: Counts[] = [];
  for (const { value: funnel } of records) {
    const id = context.ids.of('funnels', funnel.key);
    const row = { id, key: funnel.key, name: funnel.name };
    const written = await upsert(context.sql, funnels, [row], context.onWritten);
    counts.push(countNested(written, await writeStages(context, id, funnel.stages ?? null)));
  }
  return sum(counts);
};

async function writeStages(
  { sql, newId }: ImportContext,
  funnelId: string,
  given: readonly string[] | null,
): Promise<boolean> {
  const names = await orderStages(sql, funnelId, given);
  const rows = names.map((name, at) => ({
    id: newId(),
    funnel_id: funnelId,
    name,
    position: at + 1,
  }));
  const { created, updated } = await upsert(sql, stages, rows);
  return created + updated > 0;
}

/** Stages that the file leaves out go behind the others, since leads may be in them. */
async function orderStages(
  sql: Sql,
  funnelId: string,
  given: readonly string[] | null,
): Promise<string[]> {
  const query = sql.tables
    .selectFrom('funnel_stages')
    .select('name')
    .where('funnel_id', '=', funnelId)
    .orderBy('position')
    .orderBy('name');
  const present = (await sql.run(query)).map(({ name }) => name);
  if (given === null) return present.length > 0 ? present : DEFAULT_STAGES;
  return [...new Set([...given, ...present])];
}
