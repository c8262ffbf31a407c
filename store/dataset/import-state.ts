import { errorCode } from '../../platform/errors.ts';
import type { Sql } from '../db/database.ts';
import { statement, type NoParams } from '../db/statement.ts';

/** Another import holds the lock for longer than a statement may take. */
export class ImportBusyError extends Error {
  override name = 'ImportBusyError';
}

const QUERY_CANCELED = '57014';

/** Imports run one after another. `onBusy` is called once if another import has to end first. */
export async function lockImports(sql: Sql, onBusy?: () => void): Promise<void> {
  if ((await sql.first(TRY_IMPORT_LOCK, {}))?.isFree) return;
  onBusy?.();
  await sql.all(AWAIT_IMPORT_LOCK, {}).catch((error: unknown) => {
    if (errorCode(error) !== QUERY_CANCELED) throw error;
    throw new ImportBusyError('Another import is running.', { cause: error });
  });
}

const IMPORT_LOCK = `hashtext('leadctl import')`;

const TRY_IMPORT_LOCK = statement<NoParams, { isFree: boolean }>('try_import_lock')`
select pg_try_advisory_xact_lock(${IMPORT_LOCK}) as "isFree"`;

const AWAIT_IMPORT_LOCK = statement('await_import_lock')`
select from pg_advisory_xact_lock(${IMPORT_LOCK})`;

export async function countMembers(sql: Sql, teamIds: readonly string[]) {
  const rows = await sql.all(COUNT_MEMBERS, { teamIds });
  return new Map(rows.map(({ name, members }) => [name, members]));
}

const COUNT_MEMBERS = statement<{ teamIds: readonly string[] }, { name: string; members: number }>(
  'count_members',
)`
select t.name, count(m.agent_id) as members from teams t
left join team_members m on m.team_id = t.id
where t.id = any (:teamIds::uuid[]) group by t.id, t.name order by t.name`;

/** The sub-sources among these ids that are disabled, as `Bayut/Call`. */
export function readDisabledSubSources(sql: Sql, ids: readonly string[]) {
  return sql.all(READ_DISABLED_SUB_SOURCES, { ids });
}

const READ_DISABLED_SUB_SOURCES = statement<
  { ids: readonly string[] },
  { id: string; name: string }
>('read_disabled_sub_sources')`
select sub.id, source.name || '/' || sub.name as name
from list_entries sub join list_entries source on source.id = sub.parent_id
where sub.id = any (:ids::uuid[]) and sub.list = 'subSource' and not sub.enabled order by name`;
