import {
  contactPointKey,
  contactPointsOf,
  type ContactPoint,
} from '../../domain/leads/contact-points.ts';
import type { Database, Sql } from '../db/database.ts';
import { INTAKE_RETRIES, lockPeopleAndLead } from '../leads/lock-people.ts';
import { eraseFreeFacts, keptDistributionType } from './erase-facts.ts';
import { erasingSql } from './erasing-sql.ts';
import { isInactiveSince } from './inactive-leads.ts';

/** Under which proof, when, and what else follows from it. */
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
  const distributionType = keptDistributionType(lead.distributionType);
  if (distributionType !== lead.distributionType) await eraseFreeFacts(sql, leadId);
  await sql.query(MARK_DELIVERIES_SQL, { leadId });
  const { contactId, isSignalled, isErased } = lead;
  const { erasureId, now } = erasure;
  const hashes = erasure.hashesOf(namedPoints(lead));
  const proof = { erasureId, now, hashes, counted: isErased ? 0 : 1 };
  const values = { ...proof, leadId, leadIds: [leadId], distributionType, isSignalled };
  await sql.query(ERASE_LEAD_SQL, values);
  if (lead.isLastOfContact) await sql.query(ERASE_CONTACT_SQL, { contactIds: [contactId] });
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

/** Also what its texts name, where a process of the former version stored them after they were read again. */
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
  select :leadId::uuid, 'updated', :now, :now where :isSignalled::boolean)
update erasures set leads = leads + :counted::int,
  contact_point_hashes = array(select unnest(contact_point_hashes) union select unnest(:hashes::bytea[]))
where id = :erasureId`;

const ERASE_CONTACT_SQL = `with ${erasingSql('contact')} select`;

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
