import type { InferKyselyDB } from '@mikro-orm/postgresql';
import type { Insertable, Selectable } from 'kysely';
import * as agents from './agents.ts';
import * as assignment from './assignment.ts';
import * as clients from './clients.ts';
import * as contacts from './contacts.ts';
import * as dncr from './dncr.ts';
import * as leads from './leads.ts';
import * as lists from './lists.ts';
import * as projects from './projects.ts';
import * as submissions from './submissions.ts';
import * as webhooks from './webhooks.ts';

/**
 * Every table of the database, column for column as the migrations make it (test/store/tables). Which tool
 * is used where:
 *
 * - EntityManager (`connectOrm`) for records that an operator edits one at a time.
 * - Typed Kysely for every other read and write: `sql.run(sql.tables.selectFrom('agents').select(['id', 'time_zone as timeZone']))`
 *   is prepared and within the transaction of `sql`, like any statement. The type of a row follows from the query; parts
 *   that it has no word for come from `sql.fragment`, nested rows from `sql.nested`.
 * - SQL as text, `sql.query(TEXT, { leadId })` with `:leadId` in the text, where docs/decisions/storage.md has a reason. Column
 *   lists come from `columnsOf(Entity)`, the types of rows from `Tables`.
 */
export const entities = Object.values({
  ...agents,
  ...assignment,
  ...clients,
  ...contacts,
  ...dncr,
  ...leads,
  ...lists,
  ...projects,
  ...submissions,
  ...webhooks,
});

export type Tables = InferKyselyDB<(typeof entities)[number]>;

type AsJson<Value> = Value extends Date ? string : Value;
type JsonColumns<Row> = { [Column in keyof Row]: AsJson<Row[Column]> };

/** A row as Postgres gives it within JSON: times as texts. */
export type JsonRow<Table extends keyof Tables> = JsonColumns<Selectable<Tables[Table]>>;
/** A row to be inserted from JSON; what it leaves out becomes null, or the column's default. */
export type NewRow<Table extends keyof Tables> = JsonColumns<Insertable<Tables[Table]>>;
