import { contactPointKey, type ContactPoint } from '../../domain/leads/contact-points.ts';
import { holdsText, withoutPoints } from '../../domain/people/contact-points.ts';
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
  submissions: { id: string; body: string }[];
  answers: { id: number; text: string }[];
}

async function rewrite(
  sql: Sql,
  leadId: string,
  { phones, emails, submissions, answers }: SharedLead,
  removed: readonly ContactPoint[],
) {
  const entriesOf = (texts: readonly string[]) =>
    texts.flatMap((text) => withoutPoints(text, removed)?.map(({ value }) => value) ?? [text]);
  const bodies = submissions.flatMap(({ id, body }) => {
    const changed = withoutEntries(body, removed);
    return changed === body ? [] : [{ id, body: changed }];
  });
  const quoting = answers.filter(({ text }) => removed.some((point) => holdsText(text, point)));
  await sql.query(REWRITE_SQL, {
    ...{ leadId, phones: entriesOf(phones), emails: entriesOf(emails) },
    ...{ removed: JSON.stringify(removed), bodies: JSON.stringify(bodies) },
    attemptIds: quoting.map(({ id }) => id),
  });
}

const LEAD_SQL = `
select l.lead_phones as phones, l.lead_emails as emails,
  coalesce((select json_agg(json_build_object('id', id, 'body', body::text))
    from submissions where lead_id = l.id), '[]') as submissions,
  coalesce((select json_agg(json_build_object('id', a.id, 'text', a.response_head))
    from webhook_deliveries d join webhook_attempts a on (a.event_id, a.endpoint_id) = (d.event_id, d.endpoint_id)
    where d.lead_id = l.id and a.response_head is not null), '[]') as answers
from leads l where l.id = :leadId and l.erased_at is null`;

const REWRITE_SQL = `
with removed as (select * from jsonb_to_recordset(:removed::jsonb) as r (kind text, value text)),
lead as (
  update leads set lead_phones = :phones::text[], lead_emails = :emails::text[] where id = :leadId::uuid
  returning contact_id),
of_lead as (
  delete from lead_contact_points p using removed r where p.lead_id = :leadId and (p.kind, p.value) = (r.kind, r.value)),
of_contact as (
  delete from contact_points p using removed r, lead
  where p.contact_id = lead.contact_id and (p.kind, p.value) = (r.kind, r.value)),
bodies as (
  update submissions s set body = b.body::json
  from jsonb_to_recordset(:bodies::jsonb) as b (id uuid, body text) where s.id = b.id)
update webhook_attempts set response_head = null where id = any (:attemptIds::bigint[])`;
