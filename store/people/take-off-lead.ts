import {
  contactPointKey,
  readContactPoints,
  type ContactPoint,
} from '../../domain/leads/contact-points.ts';
import {
  holdsText,
  includesPoint,
  sortContactPoints,
  withoutPoints,
} from '../../domain/people/contact-points.ts';
import { withoutEntries } from '../../domain/people/sent-body.ts';
import type { Database, Sql } from '../db/database.ts';
import { INTAKE_RETRIES, lockPeopleAndLead } from '../leads/lock-people.ts';

/**
 * Takes an erased person's phones and e-mails off a lead of another contact, which stays: from its lists, from what
 * finds it, and from the lists of its requests. What else its customer wrote stays as it is.
 */
export async function takeOffLead(
  database: Database,
  leadId: string,
  removed: readonly ContactPoint[],
): Promise<void> {
  const keys = removed.map(contactPointKey);
  await database.transaction(
    async (sql) => {
      await lockPeopleAndLead(sql, keys, leadId);
      const lead = await sql.queryOne<SharedLead>(LEAD_SQL, { leadId });
      if (lead) await rewrite(sql, leadId, lead, removed);
    },
    { retries: INTAKE_RETRIES },
  );
}

interface SharedLead {
  phones: string[];
  emails: string[];
  stored: ContactPoint[];
  submissions: { id: string; body: string }[];
  answers: { id: number; text: string }[];
}

async function rewrite(
  sql: Sql,
  leadId: string,
  { phones, emails, stored, submissions, answers }: SharedLead,
  removed: readonly ContactPoint[],
) {
  const entriesOf = (texts: readonly string[]) =>
    texts.flatMap((text) => withoutPoints(text, removed)?.map(({ value }) => value) ?? [text]);
  const gone = stored.filter((point) => isOneOf(point, removed));
  const left = gone.flatMap((point) => withoutPoints(point.value, removed) ?? []);
  const bodies = submissions.flatMap(({ id, body }) => {
    const changed = withoutEntries(body, removed);
    return changed === body ? [] : [{ id, body: changed }];
  });
  const quoting = answers.filter(({ text }) => removed.some((point) => holdsText(text, point)));
  await sql.query(REWRITE_SQL, {
    ...{ leadId, phones: entriesOf(phones), emails: entriesOf(emails) },
    ...{ gone: JSON.stringify(gone), left: JSON.stringify(sortContactPoints(left)) },
    ...{ bodies: JSON.stringify(bodies), attemptIds: quoting.map(({ id }) => id) },
  });
}

/** Stored by earlier rules, a point may hold several, or one that was misread. */
function isOneOf(stored: ContactPoint, removed: readonly ContactPoint[]): boolean {
  const read = readContactPoints(stored.value);
  if (read.length === 0) return removed.some((point) => holdsText(stored.value, point));
  return [stored, ...read].some((point) => includesPoint(removed, point));
}

const LEAD_SQL = `
select l.lead_phones as phones, l.lead_emails as emails,
  coalesce((select json_agg(json_build_object('kind', kind, 'value', value))
    from lead_contact_points where lead_id = l.id), '[]') as stored,
  coalesce((select json_agg(json_build_object('id', id, 'body', body::text))
    from submissions where lead_id = l.id), '[]') as submissions,
  coalesce((select json_agg(json_build_object('id', a.id, 'text', a.response_head))
    from webhook_deliveries d join webhook_attempts a on (a.event_id, a.endpoint_id) = (d.event_id, d.endpoint_id)
    where d.lead_id = l.id and a.response_head is not null), '[]') as answers
from leads l where l.id = :leadId and l.erased_at is null`;

/** What is left of a text that held several finds the lead from now on; it takes no merges by that. */
const REWRITE_SQL = `
with gone as (select * from jsonb_to_recordset(:gone::jsonb) as g (kind text, value text)),
rest as (select * from jsonb_to_recordset(:left::jsonb) as r (kind text, value text)),
lead as (
  update leads set lead_phones = :phones::text[], lead_emails = :emails::text[] where id = :leadId::uuid
  returning contact_id),
of_lead as (
  delete from lead_contact_points p using gone g where p.lead_id = :leadId and (p.kind, p.value) = (g.kind, g.value)),
of_contact as (
  delete from contact_points p using gone g, lead
  where p.contact_id = lead.contact_id and (p.kind, p.value) = (g.kind, g.value)),
lead_rest as (
  insert into lead_contact_points (lead_id, kind, value, founding, mergeable)
  select :leadId, kind, value, true, false from rest on conflict do nothing),
contact_rest as (
  insert into contact_points (kind, value, contact_id)
  select kind, value, contact_id from rest, lead on conflict do nothing),
bodies as (
  update submissions s set body = b.body::json
  from jsonb_to_recordset(:bodies::jsonb) as b (id uuid, body text) where s.id = b.id)
update webhook_attempts set response_head = null where id = any (:attemptIds::bigint[])`;
