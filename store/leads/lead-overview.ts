import type { InferResult } from 'kysely';
import { withCompanyName } from '../../domain/catalogue/lookups/funnel-matching.ts';
import type { LeadStatus } from '../../workflows/contracts/lead-snapshot.ts';
import { createBatcher } from '../db/batcher.ts';
import type { Sql } from '../db/database.ts';
import { utcText } from '../db/statement.ts';
import { WAIT_OF_LEAD } from './waiting-leads.ts';

/** A lead as an operator sees it: its state and what routing knows, nothing of the customer. */
export interface LeadOverview {
  id: string;
  status: LeadStatus;
  holder: { id: string; name: string; email: string } | null;
  pool: string | null;
  client: { clientId: string; name: string };
  createdAt: Date;
  updatedAt: Date;
  /** When the person was erased; nothing of the customer is kept since. */
  erasedAt: Date | null;
  round: number;
  moves: number;
  isPersonal: boolean;
  assignedAt: Date | null;
  followUpDueAt: Date | null;
  /** What the response clock counts. */
  followUpClock: 'elapsed' | 'working';
  /** When a lead that waits for an agent is routed again at the latest. */
  waitDueAt: Date | null;
  respondedAt: Date | null;
  /** The response time as it was sent. */
  responseSeconds: number | null;
  /** Seconds from when the holder got the lead to the recorded response; null for a response of an earlier holder. */
  responseInSeconds: number | null;
  mergeWindow: { endsAt: Date; closedAt: Date | null; isPortal: boolean };
  flags: {
    isRepeatLead: boolean;
    repeatOfLeadId: string | null;
    isAgentEnquiry: boolean;
    agentEnquiryReason: string | null;
    /** The names of the fields alone: what was sent in them may be the customer's. */
    unresolvedFields: string[];
  };
  routing: Record<string, string | boolean | string[] | null> & { funnel: string };
  /** The number of events that are not signalled to the lead's workflow yet. */
  waitingInOutbox: number;
}

/** Reads a lead for `lead show`; null where the lead does not exist. */
export async function readLeadOverview(
  sql: Sql,
  leadId: string,
  companyName: string,
): Promise<LeadOverview | null> {
  const row = await sql.queryOne<LeadOverview & OverviewRow>(LEAD_OVERVIEW_SQL, { leadId });
  if (!row) return null;
  const { windowEndsAt, windowClosedAt, isPortal, ...overview } = row;
  return {
    ...overview,
    routing: { ...overview.routing, funnel: withCompanyName(overview.routing.funnel, companyName) },
    mergeWindow: { endsAt: windowEndsAt, closedAt: windowClosedAt, isPortal },
  };
}

interface OverviewRow {
  windowEndsAt: Date;
  windowClosedAt: Date | null;
  isPortal: boolean;
}

const nameOf = (table: string, column: string) =>
  `(select name from ${table} where id = l.${column})`;
const pathOf = (column: string) => `(select path from locations where id = l.${column})`;

const LEAD_OVERVIEW_SQL = `
select l.id, l.assignment_status as status,
  (select jsonb_build_object('id', g.id, 'name', g.name, 'email', g.email)
   from agents g where g.id = l.owner_id) as holder,
  ${nameOf('list_entries', 'pool_id')} as pool,
  (select jsonb_build_object('clientId', c.client_id, 'name', c.name)
   from oauth_clients c where c.id = l.client_id) as client,
  l.created_at as "createdAt", l.updated_at as "updatedAt", l.erased_at as "erasedAt", l.round, l.moves,
  l.is_personal as "isPersonal", l.assigned_at as "assignedAt",
  coalesce((select a.follow_up ->> 'clock' from assignments a where a.lead_id = l.id
            order by a.round desc, a.move desc limit 1), 'elapsed') as "followUpClock",
  (select due_at from (${WAIT_OF_LEAD}) w) as "waitDueAt",
  l.follow_up_due_at as "followUpDueAt", l.agent_responded_at as "respondedAt",
  l.agent_response_seconds as "responseSeconds",
  case when l.agent_responded_at >= l.assigned_at
    then extract(epoch from l.agent_responded_at - l.assigned_at)::float8 end as "responseInSeconds",
  l.merge_window_ends_at as "windowEndsAt", l.merge_window_closed_at as "windowClosedAt",
  l.is_portal as "isPortal",
  jsonb_build_object('isRepeatLead', l.is_repeat_lead, 'repeatOfLeadId', l.repeat_of_lead_id,
    'isAgentEnquiry', l.is_agent_enquiry, 'agentEnquiryReason', l.agent_enquiry_reason,
    'unresolvedFields', (select coalesce(jsonb_agg(key order by key), '[]')
      from jsonb_object_keys(coalesce(l.intake_unresolved, '{}')) key)) as flags,
  jsonb_build_object(
    'funnel', ${nameOf('funnels', 'funnel_id')},
    'stage', ${nameOf('funnel_stages', 'stage_id')},
    'source', ${nameOf('list_entries', 'source_id')},
    'subSource', (select coalesce(jsonb_agg(name order by name), '[]')
                  from list_entries where id = any (l.sub_source_ids)),
    'campaign', ${nameOf('list_entries', 'campaign_id')},
    'developer', ${nameOf('developers', 'developer_id')},
    'location', ${pathOf('location_id')},
    'areaOfInterest', ${pathOf('closing_area_id')},
    'language', to_jsonb(l.language_ids),
    'leadType', ${nameOf('list_entries', 'lead_type_id')},
    'propertyType', ${nameOf('list_entries', 'property_type_interest_id')},
    'budgetMin', l.budget_min::text, 'budgetMax', l.budget_max::text, 'currency', l.currency_id,
    'listing', (select reference_no from listings where id = l.listing_id),
    'marketSegment', l.market_segment_id, 'agentCategory', l.agent_category_id,
    'country', l.locale_country_id,
    'marketingType', ${nameOf('list_entries', 'marketing_type_id')},
    'eventType', ${nameOf('list_entries', 'event_type_id')},
    'distributionType', l.distribution_type, 'integrationRef', l.integration_ref) as routing,
  (select count(*) from lead_outbox o where o.lead_id = l.id) as "waitingInOutbox"
from leads l where l.id = :leadId`;

const selectPerson = ({ tables }: Sql, leadId: string) =>
  tables
    .selectFrom('leads')
    .where('id', '=', leadId)
    .select(({ fn }) => [
      'contact_id as contactId',
      'lead_first_name as firstName',
      fn.coalesce('lead_middle_name', 'lead_second_name').as('middleName'),
      'lead_last_name as lastName',
      'lead_company_name as companyName',
      'lead_phones as phones',
      'lead_emails as emails',
      'initial_inquiry as message',
      'intake_unresolved as intakeUnresolved',
    ]);

/** The customer's own data, read only when an operator asks for it by name. */
export type LeadPerson = InferResult<ReturnType<typeof selectPerson>>[number];

export async function readLeadPerson(sql: Sql, leadId: string): Promise<LeadPerson | null> {
  const [person] = await sql.run(selectPerson(sql, leadId));
  return person ?? null;
}

export interface TimelineNote {
  at: Date;
  kind: string;
  text: string;
  client: string | null;
}

export function readTimeline(sql: Sql, leadId: string): Promise<TimelineNote[]> {
  return sql.query(
    `select n.at, n.kind, n.text, c.name as client
     from timeline_notes n left join oauth_clients c on c.id = n.client_id
     where n.lead_id = :leadId order by n.at, n.id`,
    { leadId },
  );
}

export interface LeadEventEntry {
  eventId: string;
  type: string;
  sequence: number;
  createdAt: Date;
  client: string;
  deliveries: LeadEventDelivery[];
}

export interface LeadEventDelivery {
  endpointId: string;
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  lastStatusCode: number | null;
  lastError: string | null;
  /** ISO 8601. */
  nextAttemptAt: string | null;
  finishedAt: string | null;
}

/** Reads the webhook events of a lead in the order of their sequence numbers, each with its deliveries. */
export async function readLeadEvents(sql: Sql, leadId: string): Promise<LeadEventEntry[]> {
  return sql.query<LeadEventEntry>(LEAD_EVENTS_SQL, { leadId });
}

const LEAD_EVENTS_SQL = `
select e.id as "eventId", e.type, e.sequence, e.created_at as "createdAt",
  (select client_id from oauth_clients where id = e.client_id) as client,
  coalesce((select jsonb_agg(jsonb_build_object(
      'endpointId', d.endpoint_id, 'url', p.url, 'status', d.status, 'attempts', d.attempts,
      'lastStatusCode', t.status_code, 'lastError', t.error,
      'nextAttemptAt', ${utcText('d.next_attempt_at')}, 'finishedAt', ${utcText('d.finished_at')})
      order by p.created_at, p.id)
    from webhook_deliveries d join webhook_endpoints p on p.id = d.endpoint_id
    left join lateral (
      select status_code, error from webhook_attempts a
      where a.event_id = d.event_id and a.endpoint_id = d.endpoint_id order by a.at desc, a.id desc limit 1) t on true
    where d.event_id = e.id), '[]') as deliveries
from webhook_events e where e.lead_id = :leadId and e.sequence is not null order by e.sequence`;

/** Reads the names of leads' customers by the leads' ids. Names that are requested at once share a statement. */
export function createCustomerNameReader(sql: Sql) {
  return createBatcher<string, string[]>(async (leadIds) => {
    const rows = await sql.query<{ id: string; names: string[] }>(CUSTOMER_NAMES_SQL, { leadIds });
    const found = new Map(rows.map(({ id, names }) => [id, names]));
    return leadIds.map((id) => found.get(id) ?? []);
  });
}

const CUSTOMER_NAMES_SQL = `
select id, array_remove(
    array[lead_first_name, lead_middle_name, lead_second_name, lead_last_name], null) as names
from leads where id = any (:leadIds::uuid[])`;

/** Reads the names that the service itself writes into histories: of sources, pools, funnels, clients and rules. */
export async function readRecordNamesInHistories(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(RECORD_NAMES_SQL);
  return rows.map(({ name }) => name);
}

const RECORD_NAMES_SQL = `
select name from list_entries where list in ('source', 'pool')
union select name from funnels
union select name from oauth_clients
union select rule ->> 'name' from routing_rulesets, jsonb_array_elements(rules) rule`;
