import type { ExpressionBuilder } from 'kysely';
import { withCompanyName } from '../../domain/catalogue/lookups/funnel-matching.ts';
import { isRecord } from '../../domain/canonical-json.ts';
import { readComments } from '../../domain/leads/comments.ts';
import { sentName } from '../../domain/people/sent-name.ts';
import { mapTexts, storableText } from '../../domain/written-text.ts';
import type { Sql } from '../db/database.ts';
import { utcText } from '../db/statement.ts';
import type { Tables } from '../tables/index.ts';
import type { NamedTable } from '../routing/names.ts';
import { WAIT_OF_LEAD } from './waiting-leads.ts';

type FollowUpClock = 'elapsed' | 'working';

export type LeadOverview = NonNullable<Awaited<ReturnType<typeof readLeadOverview>>>;

export async function readLeadOverview(sql: Sql, leadId: string, companyName: string) {
  const [row] = await sql.run(selectOverview(sql, leadId));
  if (!row) return null;
  const { windowEndsAt, windowClosedAt, isPortal, ...overview } = row;
  return {
    ...overview,
    routing: { ...overview.routing, funnel: withCompanyName(overview.routing.funnel, companyName) },
    mergeWindow: { endsAt: windowEndsAt, closedAt: windowClosedAt, isPortal },
  };
}

const selectOverview = (sql: Sql, leadId: string) =>
  sql.tables
    .selectFrom('leads as l')
    .where('l.id', '=', leadId)
    .select((lead) => {
      const { fn, selectFrom } = lead;
      const { fragment, nested } = sql;
      const holder = selectFrom('agents').whereRef('id', '=', 'l.owner_id');
      const pool = selectFrom('list_entries').whereRef('id', '=', 'l.pool_id');
      const client = selectFrom('oauth_clients').whereRef('id', '=', 'l.client_id');
      const terms = selectFrom('assignments')
        .whereRef('lead_id', '=', 'l.id')
        .orderBy('round', 'desc')
        .orderBy('move', 'desc')
        .limit(1);
      const clock = terms.select(fragment<FollowUpClock>`follow_up ->> 'clock'`.as('clock'));
      const wait = fragment.raw(WAIT_OF_LEAD);
      // Counts from when the holder got the lead; null for a response of an earlier holder.
      const responseInSeconds = fragment<number | null>`
        case when l.agent_responded_at >= l.assigned_at
          then extract(epoch from l.agent_responded_at - l.assigned_at)::float8 end`;
      const outbox = selectFrom('lead_outbox').whereRef('lead_id', '=', 'l.id');
      return [
        'l.id',
        'l.assignment_status as status',
        nested.jsonObjectFrom(holder.select(['id', 'name', 'email'])).as('holder'),
        pool.select('name').as('pool'),
        nested
          .jsonObjectFrom(client.select(['name', 'client_id as clientId']))
          .$notNull()
          .as('client'),
        'l.created_at as createdAt',
        'l.updated_at as updatedAt',
        'l.erased_at as erasedAt',
        'l.round',
        'l.moves',
        'l.is_personal as isPersonal',
        'l.assigned_at as assignedAt',
        fn.coalesce(clock.$asScalar(), fragment.lit<FollowUpClock>('elapsed')).as('followUpClock'),
        // When a lead that waits for an agent is routed again at the latest.
        fragment<Date | null>`(select due_at from (${wait}) w)`.as('waitDueAt'),
        'l.follow_up_due_at as followUpDueAt',
        'l.agent_responded_at as respondedAt',
        'l.agent_response_seconds as responseSeconds',
        responseInSeconds.as('responseInSeconds'),
        'l.merge_window_ends_at as windowEndsAt',
        'l.merge_window_closed_at as windowClosedAt',
        'l.is_portal as isPortal',
        buildFlags(sql, lead).as('flags'),
        buildRouting(sql, lead).as('routing'),
        // The events that are not signalled to the lead's workflow yet.
        outbox.select(fn.countAll<number>().as('events')).$asScalar().as('waitingInOutbox'),
      ];
    });

type LeadColumns = ExpressionBuilder<Tables & { l: Tables['leads'] }, 'l'>;

const buildFlags = ({ fragment, nested }: Sql, { ref }: LeadColumns) =>
  nested.jsonBuildObject({
    isRepeatLead: ref('l.is_repeat_lead'),
    isAgentEnquiry: ref('l.is_agent_enquiry'),
    repeatOfLeadId: ref('l.repeat_of_lead_id'),
    // What was sent in them may be the customer's.
    unresolvedFields: fragment<string[]>`array(
      select jsonb_object_keys(l.intake_unresolved) order by 1)`,
    agentEnquiryReason: ref('l.agent_enquiry_reason'),
  });

function buildRouting({ fragment, nested }: Sql, { cast, ref, selectFrom }: LeadColumns) {
  const [name, path] = [fragment.ref<string>('name'), fragment.ref<string>('path')];
  const nameOf = (table: NamedTable, column: keyof Tables['leads'], text = name) =>
    selectFrom(table).whereRef('id', '=', `l.${column}`).select(text.as('name')).$asScalar();
  const subSources = selectFrom('list_entries')
    .where('id', '=', fragment<string>`any (l.sub_source_ids)`)
    .orderBy('name');
  return nested.jsonBuildObject({
    stage: nameOf('funnel_stages', 'stage_id'),
    funnel: nameOf('funnels', 'funnel_id'),
    source: nameOf('list_entries', 'source_id'),
    country: ref('l.locale_country_id'),
    listing: nameOf('listings', 'listing_id', fragment.ref<string>('reference_no')),
    campaign: nameOf('list_entries', 'campaign_id'),
    currency: ref('l.currency_id'),
    language: ref('l.language_ids'),
    leadType: nameOf('list_entries', 'lead_type_id'),
    location: nameOf('locations', 'location_id', path),
    budgetMax: cast<string | null>('l.budget_max', 'text'),
    budgetMin: cast<string | null>('l.budget_min', 'text'),
    developer: nameOf('developers', 'developer_id'),
    eventType: nameOf('list_entries', 'event_type_id'),
    subSource: fragment<string[]>`array${subSources.select('name')}`,
    propertyType: nameOf('list_entries', 'property_type_interest_id'),
    agentCategory: ref('l.agent_category_id'),
    marketSegment: ref('l.market_segment_id'),
    marketingType: nameOf('list_entries', 'marketing_type_id'),
    areaOfInterest: nameOf('locations', 'closing_area_id', path),
    integrationRef: ref('l.integration_ref'),
    distributionType: ref('l.distribution_type'),
  });
}

/** The customer's own data, read only when an operator asks for it by name. */
export type LeadPerson = NonNullable<Awaited<ReturnType<typeof readLeadPerson>>>;

export async function readLeadPerson({ tables, run }: Sql, leadId: string) {
  const person = tables
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
  const [found = null] = await run(person);
  return found;
}

export type TimelineNote = Awaited<ReturnType<typeof readTimeline>>[number];

export function readTimeline({ tables, run }: Sql, leadId: string) {
  const notes = tables
    .selectFrom('timeline_notes as n')
    .leftJoin('oauth_clients as c', 'c.id', 'n.client_id')
    .where('n.lead_id', '=', leadId)
    .orderBy('n.at')
    .orderBy('n.id')
    .select(['n.at', 'n.kind', 'n.text', 'c.name as client']);
  return run(notes);
}

export type MergedEnquiry = Awaited<ReturnType<typeof readMergedEnquiries>>[number];

/** Reads what each enquiry that was merged into a lead sent; with `personal` also its name and messages. */
export async function readMergedEnquiries(
  { tables, fragment, run }: Sql,
  leadId: string,
  personal: boolean,
) {
  const text = fragment.raw<string | null>;
  const enquiries = tables
    .selectFrom('submissions as s')
    .innerJoin('oauth_clients as c', 'c.id', 's.client_id')
    .leftJoin('timeline_notes as n', 'n.id', 's.id')
    .where('s.lead_id', '=', leadId)
    .where('s.kind', '=', 'merge')
    .orderBy('s.received_at')
    .select(['s.body', 's.received_at as at', 'c.name as client'])
    .select(text(`data #>> '{sent,source}'`).as('source'))
    .select(
      text(`coalesce(data #>> '{sent,listingId}', data #>> '{sent,referenceNo}')`).as('listing'),
    )
    .select(
      fragment<string[]>`array(select jsonb_object_keys(data -> 'sent') order by 1)`.as('fields'),
    );
  const rows = await run(enquiries);
  return rows.map(({ body, ...sent }) => ({ ...sent, ...(personal && sentWordsOf(body)) }));
}

/** What a request says in words of the customer. After an erasure its body is empty. */
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

export type LeadEventEntry = Awaited<ReturnType<typeof readLeadEvents>>[number];
export type LeadEventDelivery = LeadEventEntry['deliveries'][number];

export function readLeadEvents({ tables, fragment, nested, run }: Sql, leadId: string) {
  const events = tables
    .selectFrom('webhook_events as e')
    .innerJoin('oauth_clients as c', 'c.id', 'e.client_id')
    .where('e.lead_id', '=', leadId)
    .where('e.sequence', 'is not', null)
    .orderBy('e.sequence')
    .select(({ selectFrom }) => {
      const deliveries = selectFrom('webhook_deliveries as d')
        .innerJoin('webhook_endpoints as p', 'p.id', 'd.endpoint_id')
        .leftJoinLateral(
          (delivery) =>
            delivery
              .selectFrom('webhook_attempts as a')
              .whereRef('a.event_id', '=', 'd.event_id')
              .whereRef('a.endpoint_id', '=', 'd.endpoint_id')
              .orderBy('a.at', 'desc')
              .orderBy('a.id', 'desc')
              .limit(1)
              .select(['a.status_code', 'a.error'])
              .as('last'),
          (join) => join.onTrue(),
        )
        .whereRef('d.event_id', '=', 'e.id')
        .orderBy('p.created_at')
        .orderBy('p.id')
        .select([
          'p.url',
          'd.status',
          'd.attempts',
          'last.error as lastError',
          'd.endpoint_id as endpointId',
          fragment.raw<string | null>(utcText('d.finished_at')).as('finishedAt'),
          fragment.raw<string | null>(utcText('d.next_attempt_at')).as('nextAttemptAt'),
          'last.status_code as lastStatusCode',
        ]);
      return [
        'e.id as eventId',
        'e.type',
        'e.sequence',
        'e.created_at as createdAt',
        'c.client_id as client',
        nested.jsonArrayFrom(deliveries).as('deliveries'),
      ];
    });
  return run(events);
}
