import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Tables } from '../tables/index.ts';
import type { Sql } from './database.ts';

/** Rows of one statement, which holds their locks for some ten milliseconds. */
export const BATCH = 1000;

/** Called after each batch; throws where the work is to end. */
export type AfterBatch = () => void;

/**
 * Deletes rows batch by batch, each in a transaction of its own, so that a process that is killed has done what it did.
 * Rows that another transaction has locked are left to it, or to the next run. Returns how many it deleted.
 */
export function createBatchDeleter({ tables, fragment, run }: Sql, afterBatch?: AfterBatch) {
  const ctid = fragment.ref<string>('ctid');
  return async <Table extends keyof Tables>(
    table: Table,
    where: (row: ExpressionBuilder<Tables, Table>) => Expression<SqlBool>,
  ): Promise<number> => {
    const batch = tables
      .selectFrom(table as keyof Tables)
      .select(ctid.as('ctid'))
      .where((row) => where(row as unknown as ExpressionBuilder<Tables, Table>))
      .limit(fragment.lit(BATCH))
      .forUpdate()
      .skipLocked();
    const query = tables
      .deleteFrom(table as keyof Tables)
      .where(ctid, '=', fragment<string>`any (array(${batch}))`)
      .returning(({ lit }) => lit(1).as('deleted'));
    for (let total = 0; ; afterBatch?.()) {
      const { length } = await run(query);
      if (length === 0) return total;
      total += length;
    }
  };
}

/**
 * Walks through a table page by page, each in a transaction of its own. `step` returns where the next page begins; null:
 * the table is at its end.
 */
export async function inPages<Place extends object>(
  start: Place,
  step: (place: Place) => Promise<Place | null>,
  afterBatch: AfterBatch,
): Promise<void> {
  for (let place: Place | null = start; place; afterBatch()) place = await step(place);
}
