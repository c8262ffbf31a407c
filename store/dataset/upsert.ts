import type { Sql } from '../database.ts';
import type { Row } from '../insert-rows.ts';

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

export interface Table {
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
  table: Table,
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

/** `xmax` is 0 on a row that was inserted, not updated. */
function upsertStatement({ name, columns, key = ['id'], insertOnly = [], hasUpdatedAt }: Table) {
  const kept = new Set([...key, ...insertOnly]);
  const updated = columns.filter((column) => !kept.has(column));
  const list = (prefix: string) => updated.map((column) => `${prefix}.${column}`).join(', ');
  const set = updated.map((column) => `${column} = excluded.${column}`);
  const onConflict =
    updated.length === 0
      ? 'do nothing'
      : `do update set ${[...set, ...(hasUpdatedAt ? ['updated_at = now()'] : [])].join(', ')}
         where row(${list('t')}) is distinct from row(${list('excluded')})`;
  return `
    with written as (
      insert into ${name} as t (${columns.join(', ')})
      select ${columns.join(', ')} from jsonb_populate_recordset(null::${name}, $1::jsonb)
      on conflict (${key.join(', ')}) ${onConflict}
      returning xmax = 0 as is_new)
    select count(*) filter (where is_new)::int as created,
      count(*) filter (where not is_new)::int as updated
    from written`;
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
