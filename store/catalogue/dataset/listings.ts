import { overlayFields } from '../../../domain/catalogue/dataset/record-changes.ts';
import { listingSchema } from '../../../domain/catalogue/dataset/records.ts';
import {
  fieldOf,
  type Indexed,
  type StoredRecord,
} from '../../../domain/catalogue/dataset/sections.ts';
import { issueAt, type DatasetIssue } from '../../../domain/validation-issues.ts';
import type { Sql } from '../../db/database.ts';
import { tableSql, toRecord } from './section-tables.ts';

/** A listing of the file, unchecked; the fields that it leaves out come from the stored one. */
export interface StagedListing extends Indexed<unknown> {
  id: string;
  stored: StoredRecord | undefined;
}

/** What a listing is matched by; null where that is invalid or cannot be stored. */
function readListingKey(record: unknown) {
  const { id, referenceNo } = listingSchema.shape;
  const given = id.safeParse(fieldOf(record, 'id'));
  const number = referenceNo.optional().safeParse(fieldOf(record, 'referenceNo'));
  if (!given.success || !number.success || BROKEN_TEXT.test(JSON.stringify(record))) return null;
  const key = { given: given.data, number: number.data };
  return key.given === undefined && key.number === undefined ? null : key;
}

/** NUL and half a surrogate pair, as JSON has them: Postgres stores neither. */
const BROKEN_TEXT = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

export async function readListings(sql: Sql, listings: readonly { id: string }[]) {
  const ids = listings.map(({ id }) => id);
  const rows = await sql.query<{ record: { id: string } }>(LISTINGS_SQL, { ids });
  return new Map(rows.map(({ record }) => [record.id, toRecord(record)]));
}

const LISTINGS_SQL = tableSql('listings', 't.id = any(:ids::uuid[])');

export type StagedListings = Awaited<ReturnType<typeof stageListings>>;

const BATCH_SIZE = 1000;

export const STAGED_IDS_SQL = 'select id from staged_listings';

/** A temporary table, since the listings are too many for memory. Dropped at the end of the transaction. */
export async function stageListings(sql: Sql) {
  await sql.query(`
    create temporary table staged_listings (
      at int primary key, number text, given uuid, id uuid, candidates int, record jsonb not null
    ) on commit drop`);
  let waiting: object[] = [];
  let count = 0;

  /** A second section of listings, which is an issue, has places that are taken. */
  async function flush(): Promise<void> {
    await sql.query(
      `insert into staged_listings (at, number, given, record)
       select at, lower(number), given, record
       from json_to_recordset($1::json) as r (at int, number text, given uuid, record jsonb)
       on conflict do nothing`,
      [JSON.stringify(waiting)],
    );
    waiting = [];
  }

  return {
    get count() {
      return count;
    },
    /** False where the listing has no valid key: it is not staged. */
    async add({ index, value }: Indexed<unknown>): Promise<boolean> {
      const key = readListingKey(value);
      if (!key) return false;
      count += 1;
      if (waiting.push({ at: index, record: value, ...key }) === BATCH_SIZE) await flush();
      return true;
    },
    /** Gives each listing its id; to be called once, after all were added. */
    async match(): Promise<DatasetIssue[]> {
      await flush();
      await sql.query(`analyze staged_listings`);
      await sql.query(MATCH_LISTINGS_SQL);
      return findIssues(sql);
    },
    async *batches(): AsyncGenerator<StagedListing[]> {
      let after = -1;
      for (;;) {
        const batch = await sql.query<Indexed<unknown> & { id: string }>(
          `select at as index, id, record as value from staged_listings
           where at > $1 order by at limit ${BATCH_SIZE}`,
          [after],
        );
        const known = await readListings(sql, batch);
        const completed = batch.map(({ index, id, value }) => {
          const stored = known.get(id);
          return {
            index,
            id,
            stored,
            value: stored ? overlayFields('listings', stored, value) : value,
          };
        });
        if (batch.length > 0) yield completed;
        if (batch.length < BATCH_SIZE) return;
        after = batch.at(-1)?.index ?? after;
      }
    },
  };
}

/** A number that several listings without an id in the file have is ambiguous. */
const MATCH_LISTINGS_SQL = `
with known as (
  select lower(reference_no) as number, array_agg(id) as ids from listings l
  where lower(reference_no) in (select number from staged_listings where given is null)
    and not exists (select from staged_listings where given = l.id)
  group by lower(reference_no))
update staged_listings s
set id = coalesce(s.given, k.ids[1], gen_random_uuid()), candidates = cardinality(k.ids)
from staged_listings t left join known k on t.given is null and k.number = t.number
where t.at = s.at`;

async function findIssues(sql: Sql): Promise<DatasetIssue[]> {
  const issueOf = (at: number, message: string) =>
    issueAt(['listings', at, 'referenceNo'], message);
  const duplicates = await sql.query<{ at: number; first: number }>(`
    select at, first from (
      select at, min(at) over (partition by given, case when given is null then number end) as first
      from staged_listings) s
    where at <> first order by at`);
  const ambiguous = await sql.query<{ at: number }>(
    `select at from staged_listings where candidates > 1 order by at`,
  );
  return [
    ...duplicates.map(({ at, first }) => issueOf(at, `is the same as that of listings[${first}]`)),
    ...ambiguous.map(({ at }) => issueOf(at, 'is that of several listings: give the id')),
  ];
}
