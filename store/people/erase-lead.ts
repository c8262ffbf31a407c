import { contentHash } from '../../domain/canonical-json.ts';
import {
  contactPointKey,
  contactPointsOf,
  type ContactPoint,
} from '../../domain/leads/contact-points.ts';
import { isDistributionType } from '../../domain/leads/distribution-type.ts';
import { holdsText, withoutPoints } from '../../domain/people/person-search.ts';
import { withoutEntries } from '../../domain/people/sent-body.ts';
import type { LeadFacts } from '../../domain/routing/condition.ts';
import type { Database, Sql } from '../db/database.ts';
import { INTAKE_RETRIES, lockPeopleAndLead } from '../leads/lock-people.ts';
import { eraseRows, erasingSql } from './personal-columns.ts';

/** The proof under which a lead is erased, the time, and what else follows. */
export interface LeadErasure {
  erasureId: string;
  now: Date;
  /** Leaves a lead that has had activity since then; null: every lead is erased. */
  inactiveSince: Date | null;
  /** Added to the proof for the phones and e-mails of the lead; a retention, which is of many persons, adds none. */
  hashesOf: (contactPoints: readonly ContactPoint[]) => Buffer[];
  /** Others of the contact's leads stay: takes from the contact what no other lead of it brought. */
  leavesContact: boolean;
}

/**
 * Erases the person of one lead in one transaction, and with their last lead the contact. Enquiries that name
 * one of the person's phones or e-mails wait for it and then find neither lead nor contact. A lead that is erased
 * already is emptied of what came to it since, without being counted again. False where it stays as it was.
 */
export async function eraseLead(
  database: Database,
  leadId: string,
  erasure: LeadErasure,
): Promise<boolean> {
  const before = await readErasable(database, leadId, erasure);
  if (!before) return false;
  const keys = before.contactPoints.map(contactPointKey);
  const outcome = await database.transaction((sql) => eraseLocked(sql, leadId, keys, erasure), {
    retries: INTAKE_RETRIES,
  });
  return outcome === 'more people' ? eraseLead(database, leadId, erasure) : outcome === 'erased';
}

/** An update may have brought a phone or an e-mail before the lead was locked, or have made it active again. */
async function eraseLocked(
  sql: Sql,
  leadId: string,
  lockedKeys: readonly string[],
  erasure: LeadErasure,
): Promise<'erased' | 'stays' | 'more people'> {
  await lockPeopleAndLead(sql, lockedKeys, leadId);
  const lead = await readErasable(sql, leadId, erasure);
  if (!lead) return 'stays';
  const isLocked = (point: ContactPoint) => lockedKeys.includes(contactPointKey(point));
  if (!lead.contactPoints.every(isLocked)) return 'more people';
  const { distributionType: sent } = lead;
  // Only an allowed value is no free text.
  const distributionType = sent !== null && isDistributionType(sent) ? sent : null;
  if (distributionType !== sent) await eraseFreeFacts(sql, leadId);
  await sql.query(MARK_DELIVERIES_SQL, { leadId });
  const { contactId, isSignalled, isErased } = lead;
  const { erasureId, now } = erasure;
  const hashes = erasure.hashesOf(namedPoints(lead));
  const proof = { erasureId, now, hashes, counted: isErased ? 0 : 1 };
  const values = { ...proof, leadId, leadIds: [leadId], distributionType, isSignalled };
  await sql.query(ERASE_LEAD_SQL, values);
  if (lead.isLastOfContact) await eraseRows(sql, ['contact'], { contactIds: [contactId] });
  else if (erasure.leavesContact) await sql.query(REDUCE_CONTACT_SQL, { contactId });
  return 'erased';
}

interface ErasableLead {
  contactId: string;
  isErased: boolean;
  distributionType: string | null;
  /** Its workflow shows whether it needs review. */
  isSignalled: boolean;
  isLastOfContact: boolean;
  /** The lead's own and its contact's; of a lead that is erased already not those by which others of its leads live on. */
  contactPoints: ContactPoint[];
  phones: string[];
  emails: string[];
}

/** Null for a lead that has had activity since the time given. */
function readErasable(sql: Sql, leadId: string, { inactiveSince }: LeadErasure) {
  return sql.queryOne<ErasableLead>(ERASABLE_SQL, { leadId, inactiveSince });
}

/** Adds what the lead's texts name today, since an earlier version may have read such a text otherwise. */
function namedPoints({ contactPoints, phones, emails }: ErasableLead): ContactPoint[] {
  const all = [...contactPoints, ...contactPointsOf(phones, emails)];
  return [...new Map(all.map((point) => [contactPointKey(point), point])).values()];
}

const LIVES_ON = `exists (
  select from leads o where o.contact_id = l.contact_id and o.id <> l.id and o.erased_at is null)`;

const ERASABLE_SQL = `
select l.contact_id as "contactId", l.distribution_type as "distributionType",
  l.erased_at is not null as "isErased", l.lead_phones as phones, l.lead_emails as emails,
  l.intake_unresolved is not null and (
    (l.merge_window_closed_at is null and not l.is_portal) or l.follow_up_due_at is not null) as "isSignalled",
  not ${LIVES_ON} as "isLastOfContact",
  coalesce((select jsonb_agg(jsonb_build_object('kind', kind, 'value', value)) from (
    select kind, value from lead_contact_points where lead_id = l.id
    union select kind, value from contact_points where contact_id = l.contact_id
      and (l.erased_at is null or not ${LIVES_ON})) points), '[]') as "contactPoints"
from leads l where l.id = :leadId
  and (:inactiveSince::timestamptz is null or (l.erased_at is null and ${isInactiveSince(':inactiveSince::timestamptz')}))`;

/**
 * Waits for attempts that are being recorded. Those recorded later find the mark on the row of their delivery, which
 * they lock, though their statement began before.
 */
const MARK_DELIVERIES_SQL = `
with locked as materialized (
  select event_id, endpoint_id from webhook_deliveries where lead_id = :leadId
  order by event_id, endpoint_id for no key update)
update webhook_deliveries d set is_erased = true from locked
where (d.event_id, d.endpoint_id) = (locked.event_id, locked.endpoint_id)`;

const ERASE_LEAD_SQL = `
with ${erasingSql('lead')},
signalled as (
  insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
  select :leadId::uuid, 'updated', :now, :now where :isSignalled::boolean),
unqueued as (
  delete from waiting_leads where lead_id in (
    select id from leads where id = :leadId and assignment_status = 'assigned'))
update erasures set leads = leads + :counted::int,
  contact_point_hashes = array(select unnest(contact_point_hashes) union select unnest(:hashes::bytea[]))
where id = :erasureId`;

/** Phones and e-mails that no other lead of the contact brought; the names become those of the oldest one. */
const REDUCE_CONTACT_SQL = `
with left_leads as (
  select * from leads where contact_id = :contactId::uuid and erased_at is null),
removed as (
  delete from contact_points p where p.contact_id = :contactId and not exists (
    select from lead_contact_points n join left_leads l on l.id = n.lead_id
    where (n.kind, n.value) = (p.kind, p.value)))
update contacts c
set (first_name, middle_name, last_name, company_name) = (
  select lead_first_name, lead_middle_name, lead_last_name, lead_company_name
  from left_leads order by created_at, id limit 1)
where c.id = :contactId`;

interface FactsRow {
  /** The decision's assignment; null for a wait. */
  assignmentId: string | null;
  round: number;
  ruleName: string | null;
  facts: LeadFacts;
}

/**
 * Takes an unrecognised distributionType out of the facts of a lead's decisions. No rule matches such a value, so
 * that each decision is the same without it; the hash of the facts is made anew.
 */
async function eraseFreeFacts(sql: Sql, leadId: string): Promise<void> {
  const rows = await sql.query<FactsRow>(READ_FACTS_SQL, { leadId });
  const changed = rows.map(({ facts: { distributionType: _text, ...others }, ...row }) => {
    const facts: LeadFacts = { ...others, distributionType: null };
    return { ...row, facts, factsHash: contentHash(facts) };
  });
  await sql.query(WRITE_FACTS_SQL, { leadId, changed: JSON.stringify(changed) });
}

const READ_FACTS_SQL = `
select d.assignment_id as "assignmentId", a.round, a.rule_name as "ruleName", d.facts
from assignments a join routing_decisions d on d.assignment_id = a.id where a.lead_id = :leadId
union all
select null, round, rule_name, facts from lead_waits where lead_id = :leadId`;

const WRITE_FACTS_SQL = `
with changed as (
  select * from jsonb_to_recordset(:changed::jsonb)
    as c ("assignmentId" uuid, round int, "ruleName" text, facts jsonb, "factsHash" text)),
decisions as (
  update routing_decisions d set facts = c.facts, facts_hash = c."factsHash"
  from changed c where d.assignment_id = c."assignmentId")
update lead_waits w set facts = c.facts, facts_hash = c."factsHash" from changed c
where c."assignmentId" is null and w.lead_id = :leadId and w.round = c.round and w.rule_name = c."ruleName"`;

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
      const lead = await sql.queryOne<SharedLead>(SHARED_LEAD_SQL, { leadId });
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
    leadId,
    phones: entriesOf(phones),
    emails: entriesOf(emails),
    removed: JSON.stringify(removed),
    bodies: JSON.stringify(bodies),
    attemptIds: quoting.map(({ id }) => id),
  });
}

const SHARED_LEAD_SQL = `
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

/** Read at once, erased leads among them: a day's run passes all that were erased on the days before. */
const INACTIVE_PAGE = 1000;

interface LeadRow {
  id: string;
  createdAt: Date;
  isInactive: boolean;
}

/** Ids of the leads that are not erased and had no activity since a time. Oldest first, in pages, some of which are empty. */
export async function* readInactiveLeads(sql: Sql, since: Date): AsyncGenerator<string[]> {
  let after = { afterAt: new Date(0), afterId: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const rows = await sql.query<LeadRow>(INACTIVE_SQL, { ...after, since });
    yield rows.filter(({ isInactive }) => isInactive).map(({ id }) => id);
    const last = rows.at(-1);
    if (!last || rows.length < INACTIVE_PAGE) return;
    after = { afterAt: last.createdAt, afterId: last.id };
  }
}

/** Whether lead `l` had no enquiry, update, change of the assignment or response since a time. */
function isInactiveSince(since: string): string {
  return `(l.updated_at <= ${since}
  and not exists (select from submissions s where s.lead_id = l.id and s.received_at > ${since}))`;
}

/** Uses the index on the time of creation: 1,000 leads take a few milliseconds, however many there are. */
const INACTIVE_SQL = `
select l.id, l.created_at as "createdAt", l.erased_at is null and ${isInactiveSince(':since')} as "isInactive"
from leads l
where l.created_at >= :afterAt::timestamptz and (l.created_at, l.id) > (:afterAt, :afterId::uuid)
  and l.created_at <= :since::timestamptz
order by l.created_at, l.id limit ${INACTIVE_PAGE}`;
