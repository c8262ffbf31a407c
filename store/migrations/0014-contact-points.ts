import { Migration } from '@mikro-orm/migrations';
import { randomUUID } from 'node:crypto';
import { lookupKey } from '../../domain/catalogue/lookups/lookup-list.ts';
import { withoutInvisible } from '../../domain/written-text.ts';
import { indexKey } from '../../domain/leads/ad-platform.ts';
import {
  contactPointKey,
  readContactPoints,
  type ContactPoint,
} from '../../domain/leads/contact-points.ts';
import { splitContact, type StoredLead } from './contact-points/split-contact.ts';

const POINTS_AT_ONCE = 10_000;
const CONTACTS_AT_ONCE = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type TypedLead = Pick<StoredLead, 'id' | 'phones' | 'points'>;

/**
 * Contact points, and other texts by which records are found, as they are read from here on. What stands for nobody is
 * removed; numbers and addresses that a text holds are added; a contact whose leads only such a text joined
 * becomes one contact per person.
 */
export class ContactPoints extends Migration {
  override async up(): Promise<void> {
    await this.execute(`create temporary table stale_points (
      kind text, value text, read jsonb, primary key (kind, value)) on commit drop`);
    for (const table of ['contact_points', 'lead_contact_points', 'known_agents'])
      await this.collectStale(table);
    await this.collectUnread();
    await this.execute(STALE_CONTACTS_SQL);
    let contacts = await this.nextContacts(FIRST_ID);
    for (; contacts.length > 0; contacts = await this.nextContacts(contacts.at(-1)?.id ?? ''))
      await this.split(contacts);
    for (const statement of REPLACE_STALE_SQL) await this.execute(statement);
    await this.stripInvisible();
  }

  /** The values of a table that are read otherwise today, with what they are read as. */
  private async collectStale(table: string): Promise<void> {
    let page: ContactPoint[] = [];
    do {
      const { kind, value } = page.at(-1) ?? { kind: '', value: '' };
      page = (await this.execute(
        `select kind, value from ${table} where (kind, value) > (?, ?)
         order by kind, value limit ${POINTS_AT_ONCE}`,
        [kind, value],
      )) as ContactPoint[];
      const stale = page
        .map((point) => ({ ...point, read: readStored(point.value) }))
        .filter(isStale);
      await this.execute(INSERT_STALE_SQL, [JSON.stringify(stale)]);
    } while (page.length === POINTS_AT_ONCE);
  }

  /** The leads of whose phones only a part was read: `0501521111, layla@y.example` was the number alone. */
  private async collectUnread(): Promise<void> {
    await this.execute(`create temporary table unread_leads (id uuid primary key) on commit drop`);
    let page: TypedLead[] = [];
    do {
      const after = page.at(-1)?.id ?? FIRST_ID;
      page = (await this.execute(TYPED_LEADS_SQL, [after])) as TypedLead[];
      const unread = page.filter(hasUnreadPoint).map(({ id }) => id);
      await this.execute(INSERT_UNREAD_SQL, [JSON.stringify(unread)]);
    } while (page.length === POINTS_AT_ONCE);
  }

  private async nextContacts(after: string): Promise<{ id: string; leads: StoredLead[] }[]> {
    return (await this.execute(CONTACTS_SQL, [after])) as { id: string; leads: StoredLead[] }[];
  }

  private async split(contacts: readonly { id: string; leads: StoredLead[] }[]): Promise<void> {
    const groups = contacts.flatMap(({ id, leads }) =>
      splitContact(leads).map((group, at) => ({
        ...{ ...group, oldContactId: id, contactId: at === 0 ? id : randomUUID() },
      })),
    );
    const leads = groups.flatMap(({ leads: ofGroup, contactId, oldContactId }) =>
      ofGroup.map((lead) => ({ ...lead, contactId, oldContactId })),
    );
    const points = groups.flatMap(({ points: ofGroup, contactId, oldContactId }) =>
      ofGroup.map((point) => ({ ...point, contactId, oldContactId })),
    );
    const isNew = (group: (typeof groups)[number]) => group.contactId !== group.oldContactId;
    const newContacts = groups.filter(isNew).map((group) => ({
      ...{ id: group.contactId, leadId: group.leads[0]?.id },
    }));
    await this.execute(INSERT_CONTACTS_SQL, [JSON.stringify(newContacts)]);
    await this.execute(UPDATE_LEADS_SQL, [JSON.stringify(leads)]);
    await this.execute(INSERT_LEAD_POINTS_SQL, [JSON.stringify(leads)]);
    await this.execute(MOVE_CONTACT_POINTS_SQL, [JSON.stringify(points)]);
    await this.execute(INSERT_CONTACT_POINTS_SQL, [JSON.stringify(points)]);
  }

  /** Lookups no longer see them in what is sent. Of two records that differ by them alone neither is changed. */
  private async stripInvisible(): Promise<void> {
    const campaigns = (await this.execute(
      `select id, name, name_key from advertising_campaigns where name_key ~ '[^ -~]'`,
    )) as { id: string; name: string; name_key: string }[];
    for (const { id, name, name_key } of campaigns) {
      const key = indexKey(lookupKey(name));
      if (key !== name_key) await this.execute(RENAME_CAMPAIGN_SQL, [key, id, key]);
    }
    const listings = (await this.execute(
      `select id, reference_no from listings where reference_no ~ '[^ -~]'`,
    )) as { id: string; reference_no: string }[];
    for (const { id, reference_no: sent } of listings) {
      const bare = withoutInvisible(sent).trim();
      if (bare !== sent && bare !== '') await this.execute(RENAME_LISTING_SQL, [bare, id, bare]);
    }
  }
}

/** A foreign number without its plus was stored as a UAE number that does not exist. */
function readStored(value: string): ContactPoint[] {
  const read = readContactPoints(value);
  return read.length > 0 ? read : readContactPoints(value.replace(/^\+971/, '+'));
}

function isStale({ read, ...point }: ContactPoint & { read: ContactPoint[] }): boolean {
  const [only, another] = read;
  return !only || another !== undefined || contactPointKey(only) !== contactPointKey(point);
}

function hasUnreadPoint({ phones, points }: TypedLead): boolean {
  const known = new Set(points.map(contactPointKey));
  return phones.flatMap(readContactPoints).some((point) => !known.has(contactPointKey(point)));
}

/** A phone of digits and their usual separators alone was read whole; so was every e-mail. */
const TYPED_LEADS_SQL = `
select l.id, l.lead_phones as phones, coalesce((
  select jsonb_agg(jsonb_build_object('kind', kind, 'value', value))
  from lead_contact_points where lead_id = l.id), '[]') as points
from leads l where l.id > ?::uuid and l.erased_at is null
  and exists (select from unnest(l.lead_phones) as phone where phone ~ '[^-+(). 0-9]')
order by l.id limit ${POINTS_AT_ONCE}`;

const INSERT_UNREAD_SQL = `
insert into unread_leads select id::uuid from jsonb_array_elements_text(?::jsonb) as id`;

const INSERT_STALE_SQL = `
insert into stale_points (kind, value, read)
select kind, value, read from jsonb_to_recordset(?::jsonb) as s (kind text, value text, read jsonb)
on conflict do nothing`;

const STALE_CONTACTS_SQL = `
create temporary table stale_contacts on commit drop as
select contact_id as id from contact_points join stale_points using (kind, value)
union
select l.contact_id from lead_contact_points p join stale_points using (kind, value)
  join leads l on l.id = p.lead_id
union
select contact_id from unread_leads join leads using (id)`;

/** Taken for an agent by a text that names nobody: no other point of the lead is a known agent's. */
const CONTACTS_SQL = `
select c.id, coalesce((select jsonb_agg(jsonb_build_object(
  'id', l.id, 'phones', l.lead_phones, 'emails', l.lead_emails,
  'createdAt', extract(epoch from l.created_at) * 1000,
  'mergeWindowEndsAt', extract(epoch from l.merge_window_ends_at) * 1000,
  'repeatOfLeadId', l.repeat_of_lead_id, 'agentEnquiryReason', l.agent_enquiry_reason,
  'isErased', l.erased_at is not null,
  'points', coalesce((select jsonb_agg(jsonb_build_object('kind', p.kind, 'value', p.value))
    from lead_contact_points p left join stale_points s using (kind, value)
    where p.lead_id = l.id and s.kind is null), '[]'),
  'isUnread', exists (select from unread_leads u where u.id = l.id),
  'hasStalePoints', exists (select from lead_contact_points p join stale_points using (kind, value)
    where p.lead_id = l.id),
  'wasTakenForAgent',
    exists (select from lead_contact_points p join stale_points s using (kind, value)
      join known_agents using (kind, value) where p.lead_id = l.id and s.read = '[]')
    and not exists (select from lead_contact_points p left join stale_points s using (kind, value)
      join known_agents using (kind, value) where p.lead_id = l.id and s.read is distinct from '[]')))
  from leads l where l.contact_id = c.id), '[]') as leads
from stale_contacts c where c.id > ?::uuid order by c.id limit ${CONTACTS_AT_ONCE}`;

/** From the names of the person's oldest lead, as a create would. */
const INSERT_CONTACTS_SQL = `
insert into contacts (id, first_name, middle_name, last_name, company_name, created_at)
select n.id, l.lead_first_name, l.lead_middle_name, l.lead_last_name, l.lead_company_name, l.created_at
from jsonb_to_recordset(?::jsonb) as n (id uuid, "leadId" uuid) join leads l on l.id = n."leadId"`;

const UPDATE_LEADS_SQL = `
update leads l set contact_id = n."contactId", repeat_of_lead_id = n."repeatOfLeadId",
  is_repeat_lead = n."repeatOfLeadId" is not null,
  agent_enquiry_reason = n."agentEnquiryReason", is_agent_enquiry = n."agentEnquiryReason" is not null
from jsonb_to_recordset(?::jsonb) as n (id uuid, "contactId" uuid, "repeatOfLeadId" uuid, "agentEnquiryReason" text)
where l.id = n.id and (l.contact_id, l.repeat_of_lead_id, l.agent_enquiry_reason)
  is distinct from (n."contactId", n."repeatOfLeadId", n."agentEnquiryReason")`;

/** Not founding: two leads may be open that would be one today. */
const INSERT_LEAD_POINTS_SQL = `
insert into lead_contact_points (lead_id, kind, value, founding, mergeable)
select l.id, p.kind, p.value, false, not l.is_portal and l.merge_window_closed_at is null
from jsonb_to_recordset(?::jsonb) as n (id uuid, "newPoints" jsonb)
join leads l on l.id = n.id cross join jsonb_to_recordset(n."newPoints") as p (kind text, value text)
on conflict do nothing`;

const MOVE_CONTACT_POINTS_SQL = `
update contact_points p set contact_id = n."contactId"
from jsonb_to_recordset(?::jsonb) as n (kind text, value text, "contactId" uuid, "oldContactId" uuid)
where p.kind = n.kind and p.value = n.value and p.contact_id = n."oldContactId"
  and p.contact_id <> n."contactId"`;

const INSERT_CONTACT_POINTS_SQL = `
insert into contact_points (kind, value, contact_id)
select distinct on (kind, value) kind, value, "contactId"
from jsonb_to_recordset(?::jsonb) as n (kind text, value text, "contactId" uuid)
on conflict do nothing`;

const REPLACE_STALE_SQL = [
  `insert into known_agents (kind, value)
   select distinct p.kind, p.value from known_agents join stale_points s using (kind, value)
     cross join jsonb_to_recordset(s.read) as p (kind text, value text)
   on conflict do nothing`,
  ...['known_agents', 'contact_points', 'lead_contact_points'].map(
    (table) =>
      `delete from ${table} t using stale_points s where t.kind = s.kind and t.value = s.value`,
  ),
];

const RENAME_CAMPAIGN_SQL = `
update advertising_campaigns c set name_key = ? where id = ? and (platform_campaign_id is not null or not exists (
  select from advertising_campaigns o where o.name_key = ? and o.platform_campaign_id is null and o.id <> c.id))`;

const RENAME_LISTING_SQL = `
update listings l set reference_no = ? where id = ? and not exists (
  select from listings o where o.reference_no = ? and o.id <> l.id)`;
