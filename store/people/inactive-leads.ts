import type { Sql } from '../db/database.ts';

/** Read at once, erased leads among them: a day's run passes all that were erased on the days before. */
const PAGE = 1000;

interface Row {
  id: string;
  createdAt: Date;
  isInactive: boolean;
}

/** Ids of the leads that are not erased and had no activity since a time. Oldest first, in pages, some of which are empty. */
export async function* readInactiveLeads(sql: Sql, since: Date): AsyncGenerator<string[]> {
  let after = { afterAt: new Date(0), afterId: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const rows = await sql.query<Row>(INACTIVE_SQL, { ...after, since });
    yield rows.filter(({ isInactive }) => isInactive).map(({ id }) => id);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = { afterAt: last.createdAt, afterId: last.id };
  }
}

/** Of a lead `l`: no enquiry, update, change of the assignment or response since a time. */
export const isInactiveSince = (since: string) => `(l.updated_at <= ${since}
  and not exists (select from submissions s where s.lead_id = l.id and s.received_at > ${since}))`;

/** By the index on the time of creation: 1,000 leads take a few milliseconds, however many there are. */
const INACTIVE_SQL = `
select l.id, l.created_at as "createdAt", l.erased_at is null and ${isInactiveSince(':since')} as "isInactive"
from leads l
where l.created_at >= :afterAt::timestamptz and (l.created_at, l.id) > (:afterAt, :afterId::uuid)
  and l.created_at <= :since::timestamptz
order by l.created_at, l.id limit ${PAGE}`;
