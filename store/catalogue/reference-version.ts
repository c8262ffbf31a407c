import type { Sql } from '../db/database.ts';

/**
 * Each waiting lead is decided again. Runs last: every create reads this row, and none should wait for it.
 */
export async function bumpReferenceVersion({ tables, run }: Sql): Promise<void> {
  await run(
    tables.updateTable('reference_state').set(({ eb }) => ({ version: eb('version', '+', 1) })),
  );
}

/** Makes later changes wait for this transaction, so that it may read first what it changes. Creates go on. */
export async function lockReferenceVersion({ tables, run }: Sql): Promise<void> {
  await run(tables.selectFrom('reference_state').select('version').forUpdate());
}

export async function readReferenceVersion({ tables, run }: Sql): Promise<number> {
  const [row] = await run(tables.selectFrom('reference_state').select('version'));
  if (!row) throw new Error('The reference state is missing: run the migrations.');
  return row.version;
}
