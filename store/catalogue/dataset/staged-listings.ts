import { issueAt, type DatasetIssue } from '../../../domain/validation-issues.ts';
import type { Indexed, RecordOf } from '../../../domain/catalogue/dataset/sections.ts';
import type { Sql } from '../../db/database.ts';

type Listing = RecordOf<'listings'>;

export interface StagedListing extends Indexed<Listing> {
  id: string;
}

export type StagedListings = Awaited<ReturnType<typeof stageListings>>;

const BATCH_SIZE = 1000;

export const STAGED_IDS_SQL = 'select id from staged_listings';

/**
 * The listings of a file, which are too many for a process's memory, in a temporary table. The end of the
 * transaction of `sql` drops it.
 */
export async function stageListings(sql: Sql) {
  await sql.query(`
    create temporary table staged_listings (
      at int primary key, number text not null, given uuid, id uuid, candidates int, record jsonb not null
    ) on commit drop`);
  let waiting: Indexed<Listing>[] = [];
  let count = 0;

  async function flush(): Promise<void> {
    await sql.query(
      `insert into staged_listings (at, number, given, record)
       select at, lower(number), given, record
       from unnest($1::int[], $2::text[], $3::uuid[], $4::jsonb[]) as r (at, number, given, record)`,
      [
        waiting.map(({ index }) => index),
        waiting.map(({ value }) => value.referenceNo),
        waiting.map(({ value }) => value.id ?? null),
        waiting.map(({ value }) => JSON.stringify(value)),
      ],
    );
    waiting = [];
  }

  return {
    get count() {
      return count;
    },
    async add(listing: Indexed<Listing>): Promise<void> {
      count += 1;
      if (waiting.push(listing) === BATCH_SIZE) await flush();
    },
    /** Gives each listing its id; to be called once, after all were added. */
    async match(): Promise<DatasetIssue[]> {
      await flush();
      await sql.query(`analyze staged_listings`);
      await sql.query(MATCH_LISTINGS_SQL);
      return [...(await findDuplicates(sql)), ...(await findAmbiguous(sql))];
    },
    async *batches(): AsyncGenerator<StagedListing[]> {
      let after = -1;
      for (;;) {
        const batch = await sql.query<StagedListing>(
          `select at as index, id, record as value from staged_listings
           where at > $1 order by at limit ${BATCH_SIZE}`,
          [after],
        );
        if (batch.length > 0) yield batch;
        if (batch.length < BATCH_SIZE) return;
        after = batch.at(-1)?.index ?? after;
      }
    },
  };
}

/**
 * By id, else by number among the listings that the file does not name by id. A number that several of
 * those have is ambiguous.
 */
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

async function findDuplicates(sql: Sql): Promise<DatasetIssue[]> {
  const rows = await sql.query<{ at: number; first: number }>(`
    select at, first from (
      select at, min(at) over (partition by given, case when given is null then number end) as first
      from staged_listings) s
    where at <> first order by at`);
  return rows.map(({ at, first }) => numberIssue(at, `is the same as that of listings[${first}]`));
}

async function findAmbiguous(sql: Sql): Promise<DatasetIssue[]> {
  const rows = await sql.query<{ at: number }>(
    `select at from staged_listings where candidates > 1 order by at`,
  );
  return rows.map(({ at }) => numberIssue(at, 'is that of several listings: give the id'));
}

function numberIssue(index: number, message: string): DatasetIssue {
  return issueAt(['listings', index, 'referenceNo'], message);
}
