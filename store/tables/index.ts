import type { InferKyselyDB } from '@mikro-orm/postgresql';
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

/** Column for column as the migrations create them. */
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

export type TableRow<Table extends keyof Tables> = {
  [Column in keyof Tables[Table]]: Tables[Table][Column] extends { __select__: infer Value }
    ? Value
    : Tables[Table][Column];
};

type AsJson<Value> = Value extends Date ? string : Value;
type JsonColumns<Row> = { [Column in keyof Row]: AsJson<Row[Column]> };

/** Times are strings. */
export type JsonRow<Table extends keyof Tables> = JsonColumns<TableRow<Table>>;

type InsertedValue<Column> = Column extends { __insert__: infer Value } ? Value : Column;
type OptionalColumn<Row> = {
  [Column in keyof Row]: Extract<InsertedValue<Row[Column]>, null | undefined> extends never
    ? never
    : Column;
}[keyof Row];
type InsertedRow<Row> = {
  [Column in Exclude<keyof Row, OptionalColumn<Row>>]: InsertedValue<Row[Column]>;
} & { [Column in OptionalColumn<Row>]?: InsertedValue<Row[Column]> };

/** An omitted column becomes null or its default. */
export type NewRow<Table extends keyof Tables> = JsonColumns<InsertedRow<Tables[Table]>>;
