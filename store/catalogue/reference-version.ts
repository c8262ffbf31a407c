import type { Sql } from '../db/database.ts';
import { statement, type NoParams } from '../db/statement.ts';

/**
 * Each waiting lead is decided again. Runs last: every create reads this row, and none should wait for it.
 */
export async function bumpReferenceVersion(sql: Sql): Promise<void> {
  await sql.all(BUMP_REFERENCE_VERSION, {});
}

const BUMP_REFERENCE_VERSION = statement(
  'bump_reference_version',
)`update reference_state set version = version + 1`;

/** Makes later changes wait for this transaction, so that it may read first what it changes. Creates go on. */
export async function lockReferenceVersion(sql: Sql): Promise<void> {
  await sql.all(LOCK_REFERENCE_VERSION, {});
}

const LOCK_REFERENCE_VERSION = statement<NoParams, { version: number }>('lock_reference_version')`
select version from reference_state for update`;

export async function readReferenceVersion(sql: Sql): Promise<number> {
  const state = await sql.first(READ_REFERENCE_VERSION, {});
  if (!state) throw new Error('The reference state is missing: run the migrations.');
  return state.version;
}

const READ_REFERENCE_VERSION = statement<NoParams, { version: number }>('read_reference_version')`
select version from reference_state`;
