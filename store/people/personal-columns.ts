import { noteErasures, type NoteErasures } from '../../domain/leads/timeline-notes.ts';
import type { Sql } from '../db/database.ts';

/**
 * Which columns hold a person's data, for every table of the database. An export reads the personal ones, an
 * erasure empties them; a test compares the lists with the entities, so that a new column needs a decision.
 * Agents, operators and integrators are no such persons here: their records belong to the business. The lists stand here and
 * not with the columns, so that `leadctl` reads them without loading the entities.
 */
interface TableDecision {
  /** What an erasure does: nothing, empty the personal columns, delete the rows, or take a part out of a document. */
  rows: 'kept' | 'cleared' | 'deleted' | 'rewritten';
  /** What the rows are found by; null where no statement of `erasingSql` changes them. */
  owner: Owner | null;
  where: string;
  personal: readonly string[];
  others: readonly string[];
}

/** The condition by which most tables find their rows. */
const OWNED_BY = {
  lead: `lead_id = any (:leadIds::uuid[])`,
  contact: `contact_id = any (:contactIds::uuid[])`,
  contactPoint: `(kind, value) in (select * from unnest(:kinds::text[], :values::text[]))`,
  /** A UAE mobile number in local form. */
  number: `phone = any (:numbers::text[])`,
  /** The same of a check, also of one that runs. */
  checkNumber: `phone = any (:numbers::text[])`,
} as const;

type Owner = keyof typeof OWNED_BY;

const words = (text: string) => text.split(/\s+/).filter(Boolean);

const kept = (others: string): TableDecision => ({
  rows: 'kept',
  owner: null,
  where: 'false',
  personal: [],
  others: words(others),
});

const rewritten = (personal: string, others: string): TableDecision => ({
  rows: 'rewritten',
  owner: null,
  where: 'false',
  personal: words(personal),
  others: words(others),
});

interface Columns {
  personal: string;
  others?: string;
  where?: string;
}

const owned =
  (rows: 'cleared' | 'deleted') =>
  (owner: Owner, { personal, others = '', where = OWNED_BY[owner] }: Columns): TableDecision => ({
    rows,
    owner,
    where,
    personal: words(personal),
    others: words(others),
  });
const cleared = owned('cleared');
const deleted = owned('deleted');

const HAND_OVERS_OF_LEAD = `
      select hand_over_id from assignments where ${OWNED_BY.lead}
      union all select hand_over_id from lead_waits where ${OWNED_BY.lead}`;

/** What is kept of notes of all kinds, and what is emptied where a kind says so. */
export function decideNotes(erasures: NoteErasures): TableDecision {
  const others = `id lead_id at kind client_id`;
  const kinds = Object.keys(erasures).filter((kind) => erasures[kind] === 'emptied');
  if (kinds.length === 0) return kept(`${others} text data`);
  const where = `${OWNED_BY.lead} and kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
  return cleared('lead', { where, personal: `text data`, others });
}

export const personalData: Readonly<Record<string, TableDecision>> = {
  // A lead stays as a number: when, from where, for what, who got it. Its texts are gone.
  leads: cleared('lead', {
    where: `id = any (:leadIds::uuid[])`,
    personal: `lead_phones lead_emails lead_first_name lead_middle_name lead_second_name lead_last_name
      lead_company_name priority initial_inquiry page_url path_locale gclid fbclid utm_source utm_medium
      utm_campaign utm_term utm_content form_name adset_name referrer ip_address user_agent
      final_page_name ad_id ad_name adgroup_id adgroup_name form_id ad_form_name intake_unresolved
      distribution_type`,
    others: `id contact_id client_id created_at updated_at lead_type_id funnel_id stage_id market_segment_id
      agent_category_id closing_area_id location_id property_type_interest_id bedrooms budget_min budget_max
      currency_id language_ids listing_id source_id sub_source_ids marketing_type_id event_type_id campaign_id
      advertising_campaign_id developer_id website_id submitted_at locale_country_id integration_ref
      is_portal is_repeat_lead repeat_of_lead_id is_agent_enquiry agent_enquiry_reason merge_window_ends_at
      merge_window_closed_at assignment_status owner_id pool_id is_personal round moves assigned_at
      placed_at placed_by_rule follow_up_due_at agent_response_seconds agent_responded_at event_sequence reminded_at erased_at
      traceparent listing_set_by developer_set_by`,
  }),
  lead_contact_points: deleted('lead', {
    personal: `kind value`,
    others: `lead_id founding mergeable`,
  }),
  submissions: cleared('lead', {
    personal: `body`,
    others: `id lead_id client_id kind received_at`,
  }),
  comments: deleted('lead', {
    personal: `text author channel direction external_id occurred_at`,
    others: `id lead_id submission_id position`,
  }),
  quiz_answers: deleted('lead', {
    personal: `quiz_key question raw reading`,
    others: `id lead_id submission_id position flagged superseded_at`,
  }),
  ad_platform_blocks: deleted('lead', {
    personal: `ad_platform_lead_id block`,
    others: `lead_id submission_id`,
  }),
  webhook_attempts: cleared('lead', {
    where: `response_head is not null
      and event_id in (select id from webhook_events where lead_id = any (:leadIds::uuid[]))`,
    personal: `response_head`,
    others: `id event_id endpoint_id at status_code latency_ms error`,
  }),
  // All that operators wrote about the lead, also as the reason of a request that moved others as well.
  operator_texts: deleted('lead', {
    where: `id in (select id from operator_texts where ${OWNED_BY.lead}
      union all select t.id from (${HAND_OVERS_OF_LEAD}) h join operator_texts t using (hand_over_id))`,
    personal: `text`,
    others: `id lead_id hand_over_id author written_at`,
  }),
  hand_overs: cleared('lead', {
    where: `reason is not null and id in (${HAND_OVERS_OF_LEAD})`,
    personal: `reason`,
    others: `id target agent_id pool_id released_agent_id only_waiting only_statuses only_round only_move only_unchanged_since
      undoes undone_lead_id lifts_exclusion moves_responded moves_personal author requested_at`,
  }),

  contacts: cleared('contact', {
    where: `id = any (:contactIds::uuid[])`,
    personal: `first_name middle_name last_name company_name`,
    others: `id marked_as_agent created_at`,
  }),
  contact_points: deleted('contact', { personal: `kind value`, others: `contact_id` }),
  known_agents: deleted('contactPoint', { personal: `kind value` }),

  dncr_answers: deleted('number', {
    personal: `phone status dncr_status registry_status checked_at transaction_id number_hash`,
  }),
  // The numbers of a check that runs go too: what the registry answers then has no row to go to.
  dncr_check_numbers: deleted('checkNumber', {
    personal: `phone status dncr_status registry_status checked_at transaction_id from_cache number_hash`,
    others: `check_id`,
  }),
  dncr_leases: deleted('number', {
    where: `${OWNED_BY.number} and lease_until <= :now::timestamptz`,
    personal: `phone`,
    others: `check_id lease_until`,
  }),
  // The proof of having asked: keyed hashes.
  dncr_checks:
    kept(`id client_id requested_at finished_at outcome fresh number_hashes invalid from_cache
    from_registry registered not_registered not_found unavailable transaction_id`),
  erasures: kept(`id reason author started_at finished_at contact_point_hashes leads`),

  // An unrecognised distributionType is the only text in them that is free (`eraseFreeFacts`).
  routing_decisions: rewritten(
    `facts facts_hash`,
    `assignment_id ruleset_version roster roster_hash roster_base roster_numbers explanation`,
  ),
  lead_waits: rewritten(
    `facts facts_hash`,
    `lead_id round rule_name ruleset_version since decided_at due_at ends_at reason roster roster_hash roster_base
      roster_numbers explanation hand_over_id`,
  ),
  assignments:
    kept(`id lead_id round move status agent_id previous_agent_id pool_id decided_by rule_name
    ruleset_version reason follow_up follow_up_due_at claim_id hand_over_id decided_at`),
  lead_access: kept(`lead_id client_id`),
  rosters: kept(`hash roster used_on`),
  waiting_leads: kept(`lead_id since due_at team_ids agent_ids reference_version`),
  waiting_wakeups: kept(`id agent_id`),
  worker_leases: kept(`name holder expires_at`),
  lead_outbox: kept(`id lead_id event created_at attempts next_attempt_at`),
  timeline_notes: decideNotes(noteErasures),
  // Bodies name the lead and its contact by id; the customer is not in them.
  webhook_events: kept(`id lead_id client_id type sequence body created_at traceparent`),
  event_feed: kept(`position client_id type event_id at integration_ref`),
  event_feed_horizons: kept(`client_id type position at`),
  event_feed_queue: kept(`number event_id`),
  webhook_deliveries:
    kept(`event_id endpoint_id lead_id status attempts next_attempt_at created_at finished_at
    failure_reason generation is_erased`),
  webhook_endpoints:
    kept(`id client_id url events secret_sealed previous_secret_sealed previous_secret_until
    allow_http enabled disabled_reason failing_since created_at last_failure_at`),

  // Records of the business: agents, integrators, lists, rules, forms and campaigns.
  agents:
    kept(`id email name slug phone whatsapp_phone active paused_at languages location_ids category time_zone
    working_hours daily_cap open_cap`),
  teams: kept(`id name`),
  team_members: kept(`team_id agent_id weight position credit owed_leads`),
  agent_absences: kept(`agent_id starts ends note`),
  agent_dated_hours: kept(`agent_id starts ends working_hours`),
  holidays: kept(`name starts ends`),
  oauth_clients: kept(
    `id client_id name secret_hash scope daily_quota active created_at rotated_at`,
  ),
  oauth_tokens: kept(`token_hash client_id created_at expires_at revoked_at`),
  quota_usage: kept(`client_id day used`),
  token_failures: kept(`key window_start failures`),
  reference_state: kept(`only_row version`),
  list_entries: kept(`id list key name aliases parent_id attributes enabled created_at updated_at`),
  funnels: kept(`id key name`),
  funnel_stages: kept(`id funnel_id position name`),
  locations:
    kept(`id key name name_ar level parent_id path ancestor_ids latitude longitude enabled created_at
    updated_at search_name search_name_ar`),
  developers:
    kept(`id slug name description logo_url image_url enabled popular contact_id created_at updated_at
    search_name search_text`),
  projects:
    kept(`id slug title description developer_id location_id status_id property_type_ids campaign_type
    ownership_type stock_availability starting_price delivery_date brochure payment_plans bedrooms amenities
    latitude longitude images published created_at updated_at search_name search_text`),
  listings:
    kept(`id reference_no purpose market price price_on_application currency bedrooms developer_id
    location_id property_type_id agent_id enabled updated_at`),
  competitor_domains: kept(`domain`),
  routing_rulesets: kept(`version rules content_hash author created_at`),
  routing_activations: kept(`id version author activated_at`),
  quiz_fields: kept(`quiz_key question_key field`),
  quiz_questions: kept(`quiz_key question label position options first_seen_at`),
  advertising_campaigns: kept(`id platform_campaign_id name name_key created_at updated_at`),
  advertising_costs: kept(`day advertising_campaign_id currency amount`),
};

/** What a cleared column becomes; null where it is not named here. */
const EMPTY: Readonly<Record<string, string>> = {
  lead_phones: `'{}'`,
  lead_emails: `'{}'`,
  body: `'null'`,
  text: `''`,
  data: `'{}'`,
  distribution_type: ':distributionType',
};

/** Set beside the personal columns. */
const MARKS: Readonly<Record<string, string>> = {
  leads: 'erased_at = coalesce(erased_at, :now::timestamptz)',
};

/** Empties or deletes all rows of these owners, in one statement. */
export async function eraseRows(sql: Sql, owners: readonly Owner[], parameters: object) {
  await sql.query(`with ${owners.map(erasingSql).join(',\n')} select`, parameters);
}

/** One common table expression for each table in which rows of this owner are emptied or deleted. */
export function erasingSql(owner: Owner): string {
  return Object.entries(personalData)
    .filter(([, decision]) => decision.owner === owner)
    .map(([table, decision]) => `erased_${table} as (${erasingStatement(table, decision)})`)
    .join(',\n');
}

export function erasingStatement(
  table: string,
  { rows, where, personal }: Pick<TableDecision, 'rows' | 'where' | 'personal'>,
): string {
  if (rows === 'deleted') return `delete from ${table} where ${where}`;
  const emptied = personal.map((column) => `${column} = ${EMPTY[column] ?? 'null'}`);
  const columns = [...emptied, MARKS[table] ?? []].flat().join(', ');
  return `update ${table} set ${columns} where ${where}`;
}

/**
 * Counts per table what leads hold that were erased: rows that an erasure deletes, and columns that it empties. A
 * distribution type that rules know stays, so that it says nothing.
 */
export function countLeftovers(sql: Sql, leadIds: readonly string[]) {
  return sql.query<{ name: string; rows: number }>(COUNT_LEFTOVERS_SQL, { leadIds });
}

const COUNT_LEFTOVERS_SQL = `select * from (${Object.entries(personalData)
  .filter(([, { owner }]) => owner === 'lead')
  .map(([table, { rows, where, personal }]) => {
    const full = personal.filter((column) => column !== 'distribution_type').map(isFull);
    const condition = rows === 'deleted' ? where : `${where} and (${full.join(' or ')})`;
    return `select '${table}' as name, count(*) as rows from ${table} where ${condition}`;
  })
  .join(' union all ')}) counted where rows > 0`;

function isFull(column: string): string {
  return `${column}::text is distinct from (${EMPTY[column] ?? 'null'})::text`;
}
