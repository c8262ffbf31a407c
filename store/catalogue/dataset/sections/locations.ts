import type { Sql } from '../../../db/database.ts';
import { sectionTables, toRow } from '../section-tables.ts';
import { writeRows, type WriteSection } from '../write-rows.ts';

/** Parents come before their children; paths follow, those of locations under a moved one included. */
export const writeLocations: WriteSection<'locations'> = async (context, records) => {
  const { ids, sql } = context;
  const rows = records.map(({ value }) => ({
    ...toRow('locations', value, ids),
    path: value.name,
    ancestor_ids: [],
  }));
  const counts = await writeRows(context, sectionTables.locations, rows);
  if (counts.created + counts.updated > 0) await updatePaths(sql);
  return counts;
};

/** "Full ancestry text for telling similar names apart" (Reference records, Location), root first. */
async function updatePaths(sql: Sql): Promise<void> {
  await sql.query(`
    with recursive tree as (
      select id, name as path, array[]::uuid[] as ancestor_ids from locations where parent_id is null
      union all
      select l.id, t.path || ' > ' || l.name, t.ancestor_ids || t.id
      from tree t join locations l on l.parent_id = t.id)
    update locations l
    set path = t.path, ancestor_ids = t.ancestor_ids, updated_at = now()
    from tree t
    where l.id = t.id and (l.path, l.ancestor_ids) is distinct from (t.path, t.ancestor_ids)`);
}
