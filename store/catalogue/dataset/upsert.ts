import type { Sql } from '../../db/database.ts';
import type { Row } from '../../db/insert-rows.ts';

/** What became of the records of a section. Those that a file leaves out count as `disabled` if asked for. */
export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  disabled: number;
}

export const noCounts: Counts = { created: 0, updated: 0, unchanged: 0, disabled: 0 };

export function sum(counts: readonly Counts[]): Counts {
  return counts.reduce(
    (total, each) => ({
      created: total.created + each.created,
      updated: total.updated + each.updated,
      unchanged: total.unchanged + each.unchanged,
      disabled: total.disabled + each.disabled,
    }),
    noCounts,
  );
}

/** For one record whose parts are rows of their own: it is updated when they are. */
export function withParts(counts: Counts, haveChanged: boolean): Counts {
  return counts.unchanged === 1 && haveChanged ? { ...noCounts, updated: 1 } : counts;
}

export interface UpsertTable {
  name: string;
  columns: readonly string[];
  /** The unique columns that a row is matched by; its id unless said otherwise. */
  key?: readonly string[];
  /** Set when a row is made and left alone afterwards. */
  insertOnly?: readonly string[];
  hasUpdatedAt?: boolean;
}

const BATCH = 1000;

/**
 * Writes rows in batches of one statement each, as JSON. A row that is there as given is not touched,
 * so that an import of the same file writes nothing.
 */
export async function upsert(
  sql: Sql,
  table: UpsertTable,
  rows: Iterable<Row>,
  onWritten: (rows: number) => void = () => undefined,
): Promise<Counts> {
  const statement = upsertStatement(table);
  const counts = { ...noCounts };
  for (const batch of batches(rows)) {
    const [written] = await sql.query<{ created: number; updated: number }>(statement, [
      JSON.stringify(batch),
    ]);
    counts.created += written?.created ?? 0;
    counts.updated += written?.updated ?? 0;
    counts.unchanged += batch.length - (written?.created ?? 0) - (written?.updated ?? 0);
    onWritten(batch.length);
  }
  return counts;
}

/**
 * Rows that are there as given are not even locked, as `on conflict` would: decisions and creates would
 * wait for them, agents above all, until an import ends. Each is looked up by its key, since a join would
 * be planned for the size that the table had at first.
 */
function upsertStatement({
  name,
  columns,
  key = ['id'],
  insertOnly = [],
  hasUpdatedAt,
}: UpsertTable) {
  const kept = new Set([...key, ...insertOnly]);
  const updated = columns.filter((column) => !kept.has(column));
  const of = (prefix: string) =>
    `row(${updated.map((column) => `${prefix}.${column}`).join(', ')})`;
  const isSame = updated.length > 0 ? `${of('t')} is not distinct from ${of('g')}` : 'true';
  const sameKey = key.map((column) => `t.${column} = g.${column}`).join(' and ');
  const set = updated.map((column) => `${column} = g.${column}`);
  const all = [...set, ...(hasUpdatedAt ? ['updated_at = now()'] : [])].join(', ');
  const update = `update ${name} t set ${all} from given g where is_same = false and ${sameKey} returning 1`;
  return `
    with given as materialized (
      select *, (select ${isSame} from ${name} t where ${sameKey}) as is_same
      from jsonb_populate_recordset(null::${name}, $1::jsonb) g),
    changed as (${updated.length > 0 ? update : 'select where false'}),
    made as (
      insert into ${name} (${columns.join(', ')})
      select ${columns.join(', ')} from given where is_same is null
      on conflict (${key.join(', ')}) do nothing returning 1)
    select (select count(*)::int from made) as created, (select count(*)::int from changed) as updated`;
}

function* batches<T>(items: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
