import type { Sql } from '../../../db/database.ts';
import { disableMissing } from '../disable-missing.ts';
import type { WriteSection } from '../import-context.ts';
import { upsert } from '../upsert.ts';
import type { UpsertTable } from '../upsert.ts';

const table: UpsertTable = {
  name: 'locations',
  columns: [
    'id',
    'key',
    'name',
    'name_ar',
    'level',
    'parent_id',
    'path',
    'ancestor_ids',
    'latitude',
    'longitude',
    'enabled',
  ],
  insertOnly: ['key', 'path', 'ancestor_ids'],
  hasUpdatedAt: true,
};

/** Parents come before their children; paths follow, whole subtrees of what moved included. */
export const writeLocations: WriteSection<'locations'> = async (context, records) => {
  const { ids, sql } = context;
  const rows = records.map(({ value: { key, name, nameAr, parent, ...rest } }) => ({
    ...rest,
    id: ids.of('locations', key),
    key,
    name,
    name_ar: nameAr,
    parent_id: parent === null ? null : ids.of('locations', parent),
    path: name,
    ancestor_ids: [],
  }));
  const counts = await upsert(sql, table, rows, context.onWritten);
  const present = rows.map(({ id }) => id);
  const disabled = await disableMissing(
    context,
    { table: table.name, column: 'enabled', hasUpdatedAt: true },
    present,
  );
  if (counts.created + counts.updated > 0) await updatePaths(sql);
  return { ...counts, disabled };
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
