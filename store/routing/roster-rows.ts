import { contentHash } from '../../domain/canonical-json.ts';
import { type Roster, splitRoster } from '../../domain/routing/roster.ts';
import type { TableInsert } from '../db/insert-rows.ts';

/** The row that holds a decision's roster for all decisions from the same one, and the columns of the decision itself. */
export function buildRosterColumns(roster: Roster, now: Date) {
  const { base, numbers } = splitRoster(roster);
  const hash = contentHash(base);
  return {
    stored: { hash, roster: base, used_on: now.toISOString().slice(0, 10) },
    columns: { roster_hash: contentHash(roster), roster_base: hash, roster_numbers: numbers },
  };
}

/** One that is there is written, and locked, once a day: decisions of all teams without candidates share a roster. */
export const insertRosters: TableInsert = {
  table: 'rosters',
  columns: ['hash', 'roster', 'used_on'],
  select: `select distinct on (r.hash) r.hash, r.roster, r.used_on
    from doc, jsonb_populate_recordset(null::rosters, doc.rows -> 'rosters') r
    where not exists (select from rosters k where k.hash = r.hash and k.used_on >= r.used_on) order by r.hash`,
  onConflict: `(hash) do update set used_on = excluded.used_on where rosters.used_on < excluded.used_on`,
};

/** The whole roster of a row that has the columns of `buildRosterColumns`; `joinRoster` is quicker for many. */
export const wholeRoster = (row: string) => `coalesce(${row}.roster, whole_roster(
    ${row}.roster_numbers, (select roster from rosters where hash = ${row}.roster_base)))`;
