import type { Sql } from './database.ts';

/** Rows of one statement, which holds their locks for some ten milliseconds. */
export const BATCH = 1000;

/** Called after each batch; throws where the work is to end. */
export type AfterBatch = () => void;

/**
 * Deletes rows batch by batch, each in a transaction of its own, so that a process that is killed has done what it did.
 * Rows that another transaction has locked are left to it, or to the next run. Returns how many it deleted.
 */
export async function deleteInBatches(
  sql: Sql,
  { table, where, values }: { table: string; where: string; values: object },
  afterBatch: AfterBatch,
): Promise<number> {
  const text = `delete from ${table} where ctid = any (array(
    select ctid from ${table} r where ${where} limit ${BATCH} for update skip locked)) returning 1 as deleted`;
  for (let total = 0; ;) {
    const { length } = await sql.query(text, values);
    total += length;
    if (length === 0) return total;
    afterBatch();
  }
}

/** Where a walk through a table is; null: at its end. */
type Place = object | null;

/** Walks through a table page by page, each in a transaction of its own. `step` returns where the next page begins. */
export async function inPages(
  start: object,
  step: (place: object) => Promise<Place>,
  afterBatch: AfterBatch,
): Promise<void> {
  for (let place: Place = start; place; afterBatch()) place = await step(place);
}
