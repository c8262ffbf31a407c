import { NIL_UUID } from '../../domain/uuid.ts';
import { contentHash } from '../../domain/canonical-json.ts';
import { contactPointKey, type ContactPoint } from '../../domain/leads/contact-points.ts';
import { isDistributionType } from '../../domain/leads/distribution-type.ts';
import { withoutEntries, withoutPoints } from '../../domain/people/person-points.ts';
import type { LeadFacts } from '../../domain/routing/condition.ts';
import type { Database, Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { INTAKE_RETRIES, lockPeopleAndLead } from '../leads/intake-facts.ts';
import { mentions, mentionParameters } from './read-person.ts';
import { ERASE_CONTACTS, erasingSql } from './personal-columns.ts';

export interface LeadErasure {
  erasureId: string;
  now: Date;
  /** Skips a lead with later activity; null: erases every lead. */
  inactiveSince: Date | null;
  /** For the erasure record. Retention, which covers many customers, adds none. */
  hashesOf: (contactPoints: readonly ContactPoint[]) => Buffer[];
}

/**
 * Erases the contact with its last lead. Enquiries with the same phones or emails wait. An erased lead does not count
 * twice.
 */
export async function eraseLead(
  database: Database,
  leadId: string,
  erasure: LeadErasure,
): Promise<boolean> {
  const { inactiveSince } = erasure;
  const before = await database.first(READ_ERASABLE, { leadId, inactiveSince });
  if (!before) return false;
  const keys = before.contactPoints.map(contactPointKey);
  const isDone = await database.transaction((sql) => eraseLocked(sql, leadId, keys, erasure), {
    retries: INTAKE_RETRIES,
  });
  return isDone || eraseLead(database, leadId, erasure);
}

/** False if an update added a phone or email before the lock. */
async function eraseLocked(
  sql: Sql,
  leadId: string,
  lockedKeys: readonly string[],
  erasure: LeadErasure,
): Promise<boolean> {
  const { erasureId, now, inactiveSince, hashesOf } = erasure;
  await lockPeopleAndLead(sql, lockedKeys, leadId);
  const lead = await sql.first(READ_ERASABLE, { leadId, inactiveSince });
  if (!lead) return true;
  const { contactPoints, contactId, distributionType: sent, ...values } = lead;
  if (!contactPoints.every((point) => lockedKeys.includes(contactPointKey(point)))) return false;
  const distributionType = sent !== null && isDistributionType(sent) ? sent : null;
  if (distributionType !== sent) await eraseFreeFacts(sql, leadId);
  await sql.all(MARK_DELIVERIES, { leadId });
  const record = { erasureId, now, hashes: hashesOf(contactPoints) };
  const parameters = { ...record, ...values, leadId, leadIds: [leadId], distributionType };
  await sql.all(ERASE_LEAD, parameters);
  if (lead.isLastOfContact) await sql.all(ERASE_CONTACTS, { contactIds: [contactId] });
  return true;
}

interface ErasableLead {
  contactId: string;
  isErased: boolean;
  distributionType: string | null;
  /** The workflow shows if the lead needs review. */
  isSignalled: boolean;
  isLastOfContact: boolean;
  /** Of the lead and its contact; for an erased lead, without other leads of the contact. */
  contactPoints: ContactPoint[];
}

const LIVES_ON = `exists (
  select from leads o where o.contact_id = l.contact_id and o.id <> l.id and o.erased_at is null)`;

const READ_ERASABLE = statement<{ leadId: string; inactiveSince: Date | null }, ErasableLead>(
  'read_erasable',
)`
select l.contact_id as "contactId", l.distribution_type as "distributionType",
  l.erased_at is not null as "isErased",
  l.intake_unresolved is not null and (
    (l.merge_window_closed_at is null and not l.is_portal) or l.follow_up_due_at is not null) as "isSignalled",
  not ${LIVES_ON} as "isLastOfContact",
  coalesce((select jsonb_agg(jsonb_build_object('kind', kind, 'value', value)) from (
    select kind, value from lead_contact_points where lead_id = l.id
    union select kind, value from contact_points where contact_id = l.contact_id
      and (l.erased_at is null or not ${LIVES_ON})) points), '[]') as "contactPoints"
from leads l where l.id = :leadId
  and (:inactiveSince::timestamptz is null or (l.erased_at is null and ${isInactiveSince(':inactiveSince::timestamptz')}))`;

/** Later attempts find the mark on their locked delivery, even if they began before. */
const MARK_DELIVERIES = statement<{ leadId: string }>('mark_deliveries')`
with locked as materialized (
  select event_id, endpoint_id from webhook_deliveries where lead_id = :leadId
  order by event_id, endpoint_id for no key update)
update webhook_deliveries d set is_erased = true from locked
where (d.event_id, d.endpoint_id) = (locked.event_id, locked.endpoint_id)`;

type EraseLeadParams = Pick<LeadErasure, 'erasureId' | 'now'> &
  Pick<ErasableLead, 'distributionType' | 'isErased' | 'isSignalled'> & {
    hashes: Buffer[];
    leadId: string;
    leadIds: string[];
  };

const ERASE_LEAD = statement<EraseLeadParams>('erase_lead')`
with ${erasingSql('lead')},
signalled as (
  insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
  select :leadId::uuid, 'updated', :now, :now where :isSignalled::boolean),
unqueued as (
  delete from waiting_leads where lead_id in (
    select id from leads where id = :leadId and assignment_status = 'assigned'))
update erasures set leads = leads + (not :isErased::boolean)::int,
  contact_point_hashes = array(select unnest(contact_point_hashes) union select unnest(:hashes::bytea[]))
where id = :erasureId`;

/** No rule matches an unrecognised distributionType, so decisions stay the same. */
async function eraseFreeFacts(sql: Sql, leadId: string): Promise<void> {
  for (const { hash, facts } of await sql.all(READ_FACTS, { leadId })) {
    const changed: LeadFacts = { ...facts, distributionType: null };
    const written = { facts: JSON.stringify(changed), factsHash: contentHash(changed) };
    await sql.all(REPLACE_FACTS, { leadId, hash, ...written });
  }
}

const DECISIONS_OF_LEAD = `assignment_id in (select id from assignments where lead_id = :leadId)`;

const READ_FACTS = statement<{ leadId: string }, { hash: string; facts: LeadFacts }>('read_facts')`
select facts_hash as hash, facts from routing_decisions where ${DECISIONS_OF_LEAD}
union select facts_hash, facts from lead_waits where lead_id = :leadId`;

const REPLACE_FACTS = statement<Record<'leadId' | 'hash' | 'facts' | 'factsHash', string>>(
  'replace_facts',
)`
with decisions as (
  update routing_decisions set facts = :facts, facts_hash = :factsHash
  where ${DECISIONS_OF_LEAD} and facts_hash = :hash)
update lead_waits set facts = :facts, facts_hash = :factsHash where lead_id = :leadId and facts_hash = :hash`;

/** The lead of another contact stays, with what its own customer wrote. */
export async function takeOffLead(
  database: Database,
  leadId: string,
  removed: readonly ContactPoint[],
): Promise<void> {
  const keys = removed.map(contactPointKey);
  const rewrite = async (sql: Sql) => {
    await lockPeopleAndLead(sql, keys, leadId);
    const lead = await sql.first(READ_SHARED_LEAD, { leadId });
    if (lead) await sql.all(REWRITE_SHARED_LEAD, { leadId, ...rewritten(lead, removed) });
  };
  await database.transaction(rewrite, { retries: INTAKE_RETRIES });
}

interface SharedLead {
  phones: string[];
  emails: string[];
  submissions: { id: string; body: string }[];
}

function rewritten({ phones, emails, submissions }: SharedLead, removed: readonly ContactPoint[]) {
  const bodies = submissions.flatMap(({ id, body }) => {
    const changed = withoutEntries(body, removed);
    return changed === body ? [] : [{ id, body: changed }];
  });
  return {
    phones: withoutPoints(phones, removed),
    emails: withoutPoints(emails, removed),
    removed: JSON.stringify(removed),
    bodies: JSON.stringify(bodies),
    ...mentionParameters(removed),
  };
}

const READ_SHARED_LEAD = statement<{ leadId: string }, SharedLead>('read_shared_lead')`
select l.lead_phones as phones, l.lead_emails as emails,
  coalesce((select json_agg(json_build_object('id', id, 'body', body::text))
    from submissions where lead_id = l.id), '[]') as submissions
from leads l where l.id = :leadId and l.erased_at is null`;

const REWRITE_SHARED_LEAD = statement<ReturnType<typeof rewritten> & { leadId: string }>(
  'rewrite_shared_lead',
)`
with removed as (select * from jsonb_to_recordset(:removed::jsonb) as r (kind text, value text)),
lead as (
  update leads set lead_phones = :phones::text[], lead_emails = :emails::text[] where id = :leadId::uuid),
of_lead as (
  delete from lead_contact_points p using removed r where p.lead_id = :leadId and (p.kind, p.value) = (r.kind, r.value)),
bodies as (
  update submissions s set body = b.body::json
  from jsonb_to_recordset(:bodies::jsonb) as b (id uuid, body text) where s.id = b.id)
update webhook_attempts a set response_head = null from webhook_deliveries d
where d.lead_id = :leadId and (a.event_id, a.endpoint_id) = (d.event_id, d.endpoint_id)
  and ${mentions('a.response_head')}`;

/** Includes erased leads, because a daily run passes all of earlier days. */
const INACTIVE_PAGE = 1000;

/** Oldest first; a page may be empty. */
export async function* readInactiveLeads(sql: Sql, since: Date): AsyncGenerator<string[]> {
  let after = { afterAt: new Date(0), afterId: NIL_UUID };
  for (;;) {
    const rows = await sql.all(READ_INACTIVE_PAGE, { ...after, since });
    yield rows.filter(({ isInactive }) => isInactive).map(({ id }) => id);
    const last = rows.at(-1);
    if (!last || rows.length < INACTIVE_PAGE) return;
    after = { afterAt: last.createdAt, afterId: last.id };
  }
}

function isInactiveSince(since: string): string {
  return `(l.updated_at <= ${since}
  and not exists (select from submissions s where s.lead_id = l.id and s.received_at > ${since}))`;
}

/** Reads the index by creation time: 1,000 leads take a few milliseconds at any size. */
const READ_INACTIVE_PAGE = statement<
  { afterAt: Date; afterId: string; since: Date },
  { id: string; createdAt: Date; isInactive: boolean }
>('read_inactive_page')`
select l.id, l.created_at as "createdAt", l.erased_at is null and ${isInactiveSince(':since')} as "isInactive"
from leads l
where l.created_at >= :afterAt::timestamptz and (l.created_at, l.id) > (:afterAt, :afterId::uuid)
  and l.created_at <= :since::timestamptz
order by l.created_at, l.id limit ${INACTIVE_PAGE}`;
