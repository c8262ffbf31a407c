import { isRecord } from '../../domain/canonical-json.ts';
import { withCompanyName } from '../../domain/catalogue/lookups/funnel-matching.ts';
import { readComments } from '../../domain/leads/comments.ts';
import { BY_OPERATOR } from '../../domain/leads/timeline-notes.ts';
import { sentName } from '../../domain/people/sent-name.ts';
import { isUuid } from '../../domain/uuid.ts';
import { mapTexts, storableText } from '../../domain/written-text.ts';
import type { LeadSnapshot } from '../../workflows/contracts/lead-snapshot.ts';
import { createBatcher } from '../db/batcher.ts';
import type { Sql } from '../db/database.ts';
import { statement, utcText } from '../db/statement.ts';
import type { TableRow } from '../tables/index.ts';
import { IS_END_BEFORE_WAIT, isUndo, WAIT_OF_LEAD } from './waiting-leads.ts';

interface OverviewRow {
  id: string;
  status: TableRow<'leads'>['assignment_status'];
  holder: { id: string; name: string; email: string } | null;
  pool: string | null;
  client: { name: string; clientId: string };
  createdAt: Date;
  updatedAt: Date;
  erasedAt: Date | null;
  round: number;
  moves: number;
  isPersonal: boolean;
  assignedAt: Date | null;
  followUpClock: 'elapsed' | 'working';
  waitDueAt: Date | null;
  followUpDueAt: Date | null;
  respondedAt: Date | null;
  responseSeconds: number | null;
  /** Counts from the assignment to the owner; null for a response of an earlier owner. */
  responseInSeconds: number | null;
  flags: {
    isRepeatLead: boolean;
    isAgentEnquiry: boolean;
    repeatOfLeadId: string | null;
    unresolvedFields: string[];
    agentEnquiryReason: string | null;
  };
  routing: Record<keyof typeof ROUTING_FIELDS, string | string[] | null> & { funnel: string };
  waitingInOutbox: number;
  windowEndsAt: Date;
  windowClosedAt: Date | null;
  isPortal: boolean;
}

export type LeadOverview = NonNullable<Awaited<ReturnType<typeof readLeadOverview>>>;

export async function readLeadOverview(sql: Sql, leadId: string, companyName: string) {
  const row = await sql.first(READ_LEAD_OVERVIEW, { leadId });
  if (!row) return null;
  const { windowEndsAt, windowClosedAt, isPortal, ...overview } = row;
  return {
    ...overview,
    routing: { ...overview.routing, funnel: withCompanyName(overview.routing.funnel, companyName) },
    mergeWindow: { endsAt: windowEndsAt, closedAt: windowClosedAt, isPortal },
  };
}

const nameOf = (table: string, column: string, name = 'name') =>
  `(select ${name} from ${table} where id = l.${column})`;

const ROUTING_FIELDS = {
  stage: nameOf('funnel_stages', 'stage_id'),
  funnel: nameOf('funnels', 'funnel_id'),
  source: nameOf('list_entries', 'source_id'),
  country: 'l.locale_country_id',
  listing: nameOf('listings', 'listing_id', 'reference_no'),
  campaign: nameOf('list_entries', 'campaign_id'),
  currency: 'l.currency_id',
  language: 'l.language_ids',
  leadType: nameOf('list_entries', 'lead_type_id'),
  location: nameOf('locations', 'location_id', 'path'),
  budgetMax: 'l.budget_max::text',
  budgetMin: 'l.budget_min::text',
  developer: nameOf('developers', 'developer_id'),
  eventType: nameOf('list_entries', 'event_type_id'),
  subSource: 'array(select name from list_entries where id = any (l.sub_source_ids) order by name)',
  propertyType: nameOf('list_entries', 'property_type_interest_id'),
  agentCategory: 'l.agent_category_id',
  marketSegment: 'l.market_segment_id',
  marketingType: nameOf('list_entries', 'marketing_type_id'),
  areaOfInterest: nameOf('locations', 'closing_area_id', 'path'),
  integrationRef: 'l.integration_ref',
  distributionType: 'l.distribution_type',
};
const ROUTING_MEMBERS = Object.entries(ROUTING_FIELDS)
  .map(([name, sql]) => `'${name}', ${sql}`)
  .join();

const READ_LEAD_OVERVIEW = statement<{ leadId: string }, OverviewRow>('read_lead_overview')`
select l.id, l.assignment_status as status,
  (select json_build_object('id', id, 'name', name, 'email', email) from agents where id = l.owner_id) as holder,
  (select name from list_entries where id = l.pool_id) as pool,
  (select json_build_object('name', name, 'clientId', client_id) from oauth_clients where id = l.client_id) as client,
  l.created_at as "createdAt", l.updated_at as "updatedAt", l.erased_at as "erasedAt", l.round, l.moves,
  l.is_personal as "isPersonal", l.assigned_at as "assignedAt",
  coalesce((select follow_up ->> 'clock' from assignments where lead_id = l.id
            order by round desc, move desc limit 1), 'elapsed') as "followUpClock",
  (select due_at from (${WAIT_OF_LEAD}) w) as "waitDueAt",
  l.follow_up_due_at as "followUpDueAt", l.agent_responded_at as "respondedAt",
  l.agent_response_seconds as "responseSeconds",
  case when l.agent_responded_at >= l.assigned_at
    then extract(epoch from l.agent_responded_at - l.assigned_at)::float8 end as "responseInSeconds",
  l.merge_window_ends_at as "windowEndsAt", l.merge_window_closed_at as "windowClosedAt", l.is_portal as "isPortal",
  json_build_object('isRepeatLead', l.is_repeat_lead, 'isAgentEnquiry', l.is_agent_enquiry,
    'repeatOfLeadId', l.repeat_of_lead_id,
    'unresolvedFields', array(select jsonb_object_keys(l.intake_unresolved) order by 1),
    'agentEnquiryReason', l.agent_enquiry_reason) as flags,
  json_build_object(${ROUTING_MEMBERS}) as routing,
  (select count(*) from lead_outbox where lead_id = l.id) as "waitingInOutbox"
from leads l where l.id = :leadId`;

/** Read only if an operator asks for it. */
export interface LeadPerson {
  contactId: string;
  firstName: string | null;
  middleName: string | null;
  lastName: string | null;
  companyName: string | null;
  phones: string[];
  emails: string[];
  message: string | null;
  intakeUnresolved: Record<string, unknown> | null;
}

export function readLeadPerson(sql: Sql, leadId: string): Promise<LeadPerson | null> {
  return sql.first(READ_LEAD_PERSON, { leadId });
}

const READ_LEAD_PERSON = statement<{ leadId: string }, LeadPerson>('read_lead_person')`
select contact_id as "contactId", lead_first_name as "firstName",
  coalesce(lead_middle_name, lead_second_name) as "middleName", lead_last_name as "lastName",
  lead_company_name as "companyName", lead_phones as phones, lead_emails as emails, initial_inquiry as message,
  intake_unresolved as "intakeUnresolved"
from leads where id = :leadId`;

export interface TimelineNote extends Pick<TableRow<'timeline_notes'>, 'at' | 'kind' | 'text'> {
  client: string | null;
}

export function readTimeline(sql: Sql, leadId: string): Promise<TimelineNote[]> {
  return sql.all(READ_TIMELINE, { leadId });
}

const READ_TIMELINE = statement<{ leadId: string }, TimelineNote>('read_timeline')`
select n.at, n.kind, n.text, c.name as client
from timeline_notes n left join oauth_clients c on c.id = n.client_id
where n.lead_id = :leadId order by n.at, n.id`;

export type MergedEnquiry = Awaited<ReturnType<typeof readMergedEnquiries>>[number];

export async function readMergedEnquiries(sql: Sql, leadId: string, personal: boolean) {
  const rows = await sql.all(READ_MERGED_ENQUIRIES, { leadId });
  return rows.map(({ body, ...sent }) => ({ ...sent, ...(personal && sentWordsOf(body)) }));
}

interface EnquiryRow {
  body: unknown;
  at: Date;
  client: string;
  source: string | null;
  listing: string | null;
  fields: string[];
}

const READ_MERGED_ENQUIRIES = statement<{ leadId: string }, EnquiryRow>('read_merged_enquiries')`
select s.body, s.received_at as at, c.name as client, n.data #>> '{sent,source}' as source,
  coalesce(n.data #>> '{sent,listingId}', n.data #>> '{sent,referenceNo}') as listing,
  array(select jsonb_object_keys(n.data -> 'sent') order by 1) as fields
from submissions s join oauth_clients c on c.id = s.client_id left join timeline_notes n on n.id = s.id
where s.lead_id = :leadId and s.kind = 'merge' order by s.received_at`;

function sentWordsOf(body: unknown) {
  const sent = mapTexts(body, storableText);
  const fields = isRecord(sent) ? sent : {};
  const textOf = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  const comments = Array.isArray(fields.comments) ? readComments(fields.comments, []).added : [];
  return {
    name: sentName(sent),
    message: textOf('initialInquiry') || null,
    comments: comments.map(({ text }) => text),
  };
}

export interface LeadEventEntry extends Pick<TableRow<'webhook_events'>, 'type' | 'sequence'> {
  eventId: string;
  createdAt: Date;
  client: string;
  deliveries: LeadEventDelivery[];
}

export interface LeadEventDelivery {
  url: string;
  status: TableRow<'webhook_deliveries'>['status'];
  attempts: number;
  lastError: string | null;
  endpointId: string;
  finishedAt: string | null;
  nextAttemptAt: string | null;
  lastStatusCode: number | null;
}

export function readLeadEvents(sql: Sql, leadId: string): Promise<LeadEventEntry[]> {
  return sql.all(READ_LEAD_EVENTS, { leadId });
}

const READ_LEAD_EVENTS = statement<{ leadId: string }, LeadEventEntry>('read_lead_events')`
select e.id as "eventId", e.type, e.sequence, e.created_at as "createdAt", c.client_id as client,
  (select coalesce(json_agg(delivery), '[]') from (
     select p.url, d.status, d.attempts, last.error as "lastError", d.endpoint_id as "endpointId",
       ${utcText('d.finished_at')} as "finishedAt", ${utcText('d.next_attempt_at')} as "nextAttemptAt",
       last.status_code as "lastStatusCode"
     from webhook_deliveries d join webhook_endpoints p on p.id = d.endpoint_id
     left join lateral (
       select status_code, error from webhook_attempts a
       where (a.event_id, a.endpoint_id) = (d.event_id, d.endpoint_id)
       order by a.at desc, a.id desc limit 1) last on true
     where d.event_id = e.id order by p.created_at, p.id) delivery) as deliveries
from webhook_events e join oauth_clients c on c.id = e.client_id
where e.lead_id = :leadId and e.sequence is not null order by e.sequence`;

type StoredRow = Omit<LeadSnapshot, 'clientLabel'> & {
  clientName: string;
  slugs: Record<string, string>;
};

interface Traced<Snapshot> {
  snapshot: Snapshot;
  /** For log lines; the snapshot, which goes into the history, omits it. */
  traceparent: string | null;
}

/** Without personal data. Concurrent requests share a statement. */
export function createLeadSnapshotReader(sql: Sql, companyName: string) {
  return createBatcher<string, Traced<LeadSnapshot> | null>(async (leadIds) => {
    const rows = await sql.all(READ_LEAD_SNAPSHOTS, { leadIds });
    const found = new Map(
      rows.map(({ id, snapshot, ...row }) => [
        id,
        { snapshot: present(snapshot, companyName), ...row },
      ]),
    );
    return leadIds.map((id) => found.get(id) ?? null);
  });
}

function present({ slugs, clientName, ...snapshot }: StoredRow, companyName: string): LeadSnapshot {
  const { oauthClientId } = snapshot;
  return {
    ...snapshot,
    clientLabel: isUuid(oauthClientId) ? clientName : oauthClientId,
    funnel: withCompanyName(snapshot.funnel, companyName),
    reasons: snapshot.reasons.map((line) => withSlugs(line, slugs)),
  };
}

/** Reasons are stored with ids of agents; operators know slugs. */
function withSlugs(line: string, slugs: Record<string, string>): string {
  return line.replaceAll(/\bagent ([0-9a-f-]{36})\b/g, (all, id: string) =>
    slugs[id] ? `agent ${slugs[id]}` : all,
  );
}

/** Each refresh carries all lines, and Temporal rejects a payload that is too large. */
const LINE_CHARACTERS = 1000;

/** Temporal takes 2 MiB, 2,000 pending activities and 5 s a workflow task. Reminders send the rest. */
const MOST_DELIVERIES = 500;

const MS = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;

/** Two to five minutes after the lead is due, spread over leads, plus 0.1 s for each lead before it. */
const WAIT_CHECK_AT = `
  select ${MS('own.due_at')} + 120000 + abs(hashtext(l.id::text)::bigint) % 180000 + 100 * (
    select count(*) from waiting_leads before where (before.since, before.lead_id) < (own.since, own.lead_id))
  from waiting_leads own where own.lead_id = l.id and l.assignment_status = 'pending'`;

const AWAITED_AGENTS = `array(
  select jsonb_array_elements_text(jsonb_path_query_array(w.explanation, '$.rules[*].awaited[*]'))::uuid)`;

const WAIT_REASON = `case when w.hand_over_id is null then ''
    when ${isUndo('w.hand_over_id')} then '${BY_OPERATOR.takenBack}. ' else '${BY_OPERATOR.sentBack}. ' end || w.reason`;

const READ_LEAD_SNAPSHOTS = statement<
  { leadIds: readonly string[] },
  Traced<StoredRow> & { id: string }
>('read_lead_snapshots')`
select l.id, l.traceparent, jsonb_build_object(
  'status', l.assignment_status,
  'round', l.round,
  'moves', l.moves,
  'agentId', l.owner_id,
  'agentSlug', (select slug from agents where id = l.owner_id),
  'poolName', (select name from list_entries where id = l.pool_id),
  'isPersonal', l.is_personal,
  'followUpDueAtMs', ${MS('l.follow_up_due_at')},
  'waitDueAtMs', ${MS('w.due_at')},
  'waitCheckAtMs', (${WAIT_CHECK_AT}),
  'mergeWindowEndsAtMs', case when l.merge_window_closed_at is null and not l.is_portal
                              then ${MS('l.merge_window_ends_at')} end,
  'isResponded', l.agent_responded_at is not null,
  'isRespondedBefore', coalesce(l.agent_responded_at < l.assigned_at, false),
  'source', (select name from list_entries where id = l.source_id),
  'funnel', (select name from funnels where id = l.funnel_id),
  'oauthClientId', c.client_id,
  'clientName', c.name,
  'needsReview', l.intake_unresolved is not null,
  'rulesetVersion', a.ruleset_version,
  'reasons', coalesce((select jsonb_agg(line order by at, move) from (
      select case when length(line) > ${LINE_CHARACTERS}
                  then left(line, ${LINE_CHARACTERS - 1}) || '…' else line end as line, at, move from (
        select reason as line, decided_at as at, move from assignments a
        where lead_id = l.id and not ${IS_END_BEFORE_WAIT}
        union all
        select ${WAIT_REASON}, decided_at, l.moves from lead_waits w where lead_id = l.id
        union all
        select text, at, l.moves from timeline_notes where lead_id = l.id and kind = 'follow_up') lines
      order by at desc, move desc limit 5) newest), '[]'),
  'slugs', coalesce((select jsonb_object_agg(id, slug) from agents
    where id in (select agent_id from assignments where lead_id = l.id)
      or id = any (${AWAITED_AGENTS})), '{}'),
  'deliveries', coalesce((select jsonb_agg(jsonb_build_object(
      'eventId', d.event_id, 'endpointId', d.endpoint_id, 'eventType', d.type, 'status', d.status,
      'attempts', d.attempts, 'generation', d.generation, 'failureReason', d.failure_reason)
     order by d.sequence, d.endpoint_id)
    from (
      select d.*, e.type, e.sequence from webhook_deliveries d join webhook_events e on e.id = d.event_id
      where d.lead_id = l.id and d.status <> 'delivered'
      order by d.status <> 'pending', e.sequence, d.endpoint_id limit ${MOST_DELIVERIES}) d), '[]')) as snapshot
from leads l
join oauth_clients c on c.id = l.client_id
left join lateral (${WAIT_OF_LEAD}) w on true
left join lateral (
  select ruleset_version from assignments where lead_id = l.id order by round desc, move desc limit 1) a on true
where l.id = any (:leadIds::uuid[])`;
