import { contactPointKey, type ContactPoint } from '../../domain/leads/contact-points.ts';
import type { Database, Sql } from '../db/database.ts';
import { INTAKE_RETRIES, lockPeopleAndLead } from '../leads/lock-people.ts';
import { eraseFreeFacts, keptDistributionType } from './erase-facts.ts';
import { erasingSql } from './erasing-sql.ts';

/** Under which proof, and when. */
export interface LeadErasure {
  erasureId: string;
  now: Date;
}

/**
 * Erases the person of one lead in one transaction, and with their last lead the contact. Enquiries that name
 * one of the person's phones or e-mails wait for it and then find neither lead nor contact. False for a lead
 * that is erased already.
 */
export async function eraseLead(
  database: Database,
  leadId: string,
  erasure: LeadErasure,
): Promise<boolean> {
  const before = await readErasable(database, leadId);
  if (!before) return false;
  const keys = before.contactPoints.map(contactPointKey);
  const outcome = await database.transaction((sql) => eraseLocked(sql, leadId, keys, erasure), {
    retries: INTAKE_RETRIES,
  });
  return outcome === 'more people' ? eraseLead(database, leadId, erasure) : outcome === 'erased';
}

/** An update may have brought a phone or an e-mail before the lead was locked. */
async function eraseLocked(
  sql: Sql,
  leadId: string,
  lockedKeys: readonly string[],
  erasure: LeadErasure,
): Promise<'erased' | 'erased before' | 'more people'> {
  await lockPeopleAndLead(sql, lockedKeys, leadId);
  const lead = await readErasable(sql, leadId);
  if (!lead) return 'erased before';
  const isLocked = (point: ContactPoint) => lockedKeys.includes(contactPointKey(point));
  if (!lead.contactPoints.every(isLocked)) return 'more people';
  const distributionType = keptDistributionType(lead.distributionType);
  if (distributionType !== lead.distributionType) await eraseFreeFacts(sql, leadId);
  const { contactId, isSignalled } = lead;
  const values = { ...erasure, leadId, leadIds: [leadId], distributionType, isSignalled };
  await sql.query(ERASE_LEAD_SQL, values);
  if (lead.isLastOfContact) await sql.query(ERASE_CONTACT_SQL, { contactIds: [contactId] });
  return 'erased';
}

interface ErasableLead {
  contactId: string;
  distributionType: string | null;
  /** Its workflow shows whether it needs review. */
  isSignalled: boolean;
  isLastOfContact: boolean;
  /** The lead's own and its contact's. */
  contactPoints: ContactPoint[];
}

function readErasable(sql: Sql, leadId: string): Promise<ErasableLead | null> {
  return sql.queryOne<ErasableLead>(ERASABLE_SQL, { leadId });
}

const ERASABLE_SQL = `
select l.contact_id as "contactId", l.distribution_type as "distributionType",
  l.intake_unresolved is not null and (
    (l.merge_window_closed_at is null and not l.is_portal) or l.follow_up_due_at is not null) as "isSignalled",
  not exists (select from leads o where o.contact_id = l.contact_id and o.id <> l.id and o.erased_at is null)
    as "isLastOfContact",
  coalesce((select jsonb_agg(jsonb_build_object('kind', kind, 'value', value)) from (
    select kind, value from lead_contact_points where lead_id = l.id
    union select kind, value from contact_points where contact_id = l.contact_id) points), '[]') as "contactPoints"
from leads l where l.id = :leadId and l.erased_at is null`;

const ERASE_LEAD_SQL = `
with ${erasingSql('lead')},
signalled as (
  insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
  select :leadId::uuid, 'updated', :now, :now where :isSignalled::boolean)
update erasures set leads = leads + 1 where id = :erasureId`;

const ERASE_CONTACT_SQL = `with ${erasingSql('contact')} select`;
