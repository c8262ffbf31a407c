import { Migration } from '@mikro-orm/migrations';

/**
 * Clients and tokens, the CRM's lists, leads, assignment, outbox and webhooks.
 * Written by hand: most of what matters here are partial and expression indexes.
 */
export class Foundation extends Migration {
  override up(): void {
    for (const statements of [
      extensions,
      clients,
      lists,
      routing,
      people,
      leads,
      assignment,
      webhooks,
    ]) {
      this.addSql(statements);
    }
  }

  override down(): never {
    throw new Error('The first migration is not taken back: restore a backup instead.');
  }
}

const extensions = `
create extension if not exists pg_trgm;
create extension if not exists unaccent;
`;

const clients = `
create table oauth_clients (
  id uuid primary key,
  client_id text not null unique,
  name text not null,
  secret_hash bytea not null,
  scope text not null default '',
  daily_quota int,
  active boolean not null default true,
  created_at timestamptz not null,
  rotated_at timestamptz
);
create table oauth_tokens (
  token_hash bytea primary key,
  client_id uuid not null references oauth_clients,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index oauth_tokens_live on oauth_tokens (client_id) where revoked_at is null;
create index oauth_tokens_expiry on oauth_tokens (expires_at);
create table quota_usage (
  client_id uuid not null references oauth_clients,
  day date not null,
  used int not null,
  primary key (client_id, day)
) with (fillfactor = 50);
create table token_failures (
  key text not null,
  window_start timestamptz not null,
  failures int not null,
  primary key (key, window_start)
);
`;

const lists = `
create table reference_state (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
insert into reference_state (version) values (1);
create table list_entries (
  id uuid primary key,
  list text not null,
  key text not null,
  name text not null,
  aliases text[] not null default '{}',
  parent_id uuid references list_entries,
  attributes jsonb not null default '{}',
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (list, key)
);
create table locations (
  id uuid primary key,
  key text not null unique,
  name text not null,
  name_ar text,
  level text not null,
  parent_id uuid references locations,
  path text not null,
  ancestor_ids uuid[] not null default '{}',
  latitude double precision,
  longitude double precision,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table developers (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  description text,
  logo_url text,
  image_url text,
  enabled boolean not null default true,
  popular boolean not null default false,
  contact_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table funnels (
  id uuid primary key,
  key text not null unique,
  name text not null
);
create table funnel_stages (
  id uuid primary key,
  funnel_id uuid not null references funnels,
  position int not null,
  name text not null,
  unique (funnel_id, name)
);
create table agents (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  slug text not null unique,
  phone text,
  whatsapp_phone text,
  active boolean not null default true,
  paused_at timestamptz,
  languages text[] not null default '{}',
  location_ids uuid[] not null default '{}',
  category text,
  time_zone text not null default 'Asia/Dubai',
  working_hours jsonb not null default '{}',
  daily_cap int,
  open_cap int
);
create table listings (
  id uuid primary key,
  reference_no text not null,
  purpose text not null check (purpose in ('sale', 'rent')),
  market text not null check (market in ('primary', 'secondary')),
  price numeric,
  price_on_application boolean not null default false,
  currency text,
  bedrooms text,
  developer_id uuid references developers,
  location_id uuid references locations,
  property_type_id uuid references list_entries,
  agent_id uuid references agents,
  enabled boolean not null default true,
  updated_at timestamptz not null default now()
);
create index listings_reference on listings (lower(reference_no));
create table advertising_campaigns (
  id uuid primary key,
  platform_campaign_id text unique,
  name text,
  name_key text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index advertising_campaigns_by_name on advertising_campaigns (name_key)
  where platform_campaign_id is null;
create table quiz_fields (
  quiz_key text not null,
  question_key text not null,
  field text not null,
  primary key (quiz_key, question_key)
);
create table known_agents (
  kind text not null check (kind in ('phone', 'email')),
  value text not null,
  primary key (kind, value)
);
create table competitor_domains (domain text primary key);
`;

const routing = `
create table teams (
  id uuid primary key,
  name text not null unique
);
create table team_members (
  team_id uuid not null references teams,
  agent_id uuid not null references agents,
  weight int not null default 1 check (weight > 0),
  position int not null,
  credit int,
  primary key (team_id, agent_id)
);
create table routing_rulesets (
  version int generated always as identity primary key,
  rules jsonb not null,
  content_hash text not null,
  author text not null,
  created_at timestamptz not null
);
create table routing_activations (
  id int generated always as identity primary key,
  version int not null references routing_rulesets,
  author text not null,
  activated_at timestamptz not null
);
`;

const people = `
create table contacts (
  id uuid primary key,
  first_name text,
  middle_name text,
  last_name text,
  company_name text,
  marked_as_agent boolean not null default false,
  created_at timestamptz not null
);
create table contact_handles (
  kind text not null check (kind in ('phone', 'email')),
  value text not null,
  contact_id uuid not null references contacts,
  primary key (kind, value)
);
create index contact_handles_contact on contact_handles (contact_id);
`;

const leads = `
create table leads (
  id uuid primary key,
  contact_id uuid not null references contacts,
  client_id uuid not null references oauth_clients,
  created_at timestamptz not null,
  updated_at timestamptz not null,

  lead_phones text[] not null default '{}',
  lead_emails text[] not null default '{}',
  lead_first_name text, lead_middle_name text, lead_second_name text, lead_last_name text,
  lead_company_name text,
  lead_type_id uuid,
  funnel_id uuid not null references funnels,
  stage_id uuid references funnel_stages,
  priority text,
  market_segment_id text,
  agent_category_id text,
  closing_area_id uuid,
  location_id uuid,
  property_type_interest_id uuid,
  bedrooms text,
  budget_min numeric, budget_max numeric,
  currency_id text,
  initial_inquiry text,
  language_ids text[] not null default '{}',
  listing_id uuid,
  source_id uuid,
  sub_source_ids uuid[] not null default '{}',
  marketing_type_id uuid,
  event_type_id uuid,
  campaign_id uuid,
  advertising_campaign_id uuid references advertising_campaigns,
  developer_id uuid,
  website_id uuid,
  page_url text,
  path_locale text,
  gclid text, fbclid text,
  utm_source text, utm_medium text, utm_campaign text, utm_term text, utm_content text,
  form_name text, adset_name text,
  referrer text,
  ip_address text,
  user_agent text,
  submitted_at timestamptz,
  locale_country_id text,
  distribution_type text,
  integration_ref text,
  final_page_name text,
  ad_id text, ad_name text, adgroup_id text, adgroup_name text, form_id text, ad_form_name text,

  is_portal boolean not null default false,
  is_repeat_lead boolean not null default false,
  repeat_of_lead_id uuid,
  is_agent_enquiry boolean not null default false,
  agent_enquiry_reason text,
  intake_unresolved jsonb,
  merge_window_ends_at timestamptz not null,
  merge_window_closed_at timestamptz,

  assignment_status text not null check (assignment_status in ('pending', 'assigned', 'unassigned', 'pool')),
  owner_id uuid references agents,
  pool_id uuid references list_entries,
  is_personal boolean not null default false,
  round int not null default 1,
  moves int not null default 0,
  assigned_at timestamptz,
  follow_up_due_at timestamptz,
  agent_response_seconds int,
  agent_responded_at timestamptz,
  event_sequence int not null default 0,
  check ((assignment_status = 'assigned') = (owner_id is not null)),
  check ((assignment_status = 'pool') = (pool_id is not null))
) with (fillfactor = 80);
create index leads_contact on leads (contact_id, created_at desc);
create index leads_created on leads (created_at);
create index leads_pending on leads (updated_at) where assignment_status = 'pending';
create index leads_open_by_owner on leads (owner_id) where agent_responded_at is null;
create index leads_clock on leads (follow_up_due_at) where follow_up_due_at is not null;
create index leads_window on leads (merge_window_ends_at) where merge_window_closed_at is null;
create index leads_pool on leads (pool_id) where pool_id is not null;
create index leads_review on leads (created_at) where intake_unresolved is not null;

create table lead_access (
  lead_id uuid not null references leads,
  client_id uuid not null references oauth_clients,
  primary key (lead_id, client_id)
);
create table lead_handles (
  lead_id uuid not null references leads,
  kind text not null check (kind in ('phone', 'email')),
  value text not null,
  founding boolean not null,
  mergeable boolean not null,
  primary key (lead_id, kind, value)
);
create index lead_handles_mergeable on lead_handles (kind, value) where mergeable;
create unique index lead_handles_one_open_lead on lead_handles (kind, value) where mergeable and founding;

create table submissions (
  id uuid primary key,
  lead_id uuid not null references leads,
  client_id uuid not null references oauth_clients,
  kind text not null check (kind in ('create', 'merge', 'update')),
  received_at timestamptz not null,
  body json not null
);
create index submissions_lead on submissions (lead_id, received_at);
create table comments (
  id uuid primary key,
  lead_id uuid not null references leads,
  submission_id uuid not null references submissions,
  position int not null,
  occurred_at timestamptz not null,
  text text not null,
  author text,
  channel text,
  direction text check (direction in ('inbound', 'outbound')),
  external_id text
);
create unique index comments_external on comments (lead_id, external_id) where external_id is not null;
create table timeline_notes (
  id uuid primary key,
  lead_id uuid not null references leads,
  at timestamptz not null,
  kind text not null,
  client_id uuid references oauth_clients,
  text text not null,
  data jsonb not null default '{}'
);
create index timeline_notes_lead on timeline_notes (lead_id, at);
create table ad_platform_blocks (
  ad_platform_lead_id text primary key,
  lead_id uuid not null references leads,
  submission_id uuid not null references submissions,
  block json not null
);
create index ad_platform_blocks_lead on ad_platform_blocks (lead_id);
create table quiz_questions (
  quiz_key text not null,
  question text not null,
  label text,
  position int not null,
  options text[] not null default '{}',
  first_seen_at timestamptz not null,
  primary key (quiz_key, question)
);
create table quiz_answers (
  id uuid primary key,
  lead_id uuid not null references leads,
  submission_id uuid not null references submissions,
  quiz_key text not null,
  position int not null,
  question text,
  raw json not null,
  reading jsonb not null,
  flagged boolean not null,
  superseded_at timestamptz
);
create index quiz_answers_current on quiz_answers (lead_id, quiz_key) where superseded_at is null;
create table lead_outbox (
  id bigint generated always as identity primary key,
  lead_id uuid not null,
  event text not null,
  created_at timestamptz not null,
  attempts int not null default 0,
  next_attempt_at timestamptz not null
);
create index lead_outbox_due on lead_outbox (next_attempt_at);
`;

const assignment = `
create table assignments (
  id uuid primary key,
  lead_id uuid not null references leads,
  round int not null,
  move int not null,
  status text not null check (status in ('assigned', 'unassigned', 'pool')),
  agent_id uuid references agents,
  previous_agent_id uuid references agents,
  pool_id uuid references list_entries,
  decided_by text not null check (decided_by in ('rules', 'listing', 'assigned_by', 'follow_up', 'claim')),
  rule_name text,
  ruleset_version int references routing_rulesets,
  reason text not null,
  follow_up jsonb,
  claim_id text unique,
  decided_at timestamptz not null,
  unique (lead_id, round, move)
);
create index assignments_agent_day on assignments (agent_id, decided_at) where agent_id is not null;
create index assignments_decided on assignments (decided_at);
create table routing_decisions (
  assignment_id uuid primary key references assignments,
  ruleset_version int not null references routing_rulesets,
  facts jsonb not null,
  facts_hash text not null,
  roster jsonb not null,
  roster_hash text not null,
  explanation jsonb not null
);
`;

const webhooks = `
create table webhook_endpoints (
  id uuid primary key,
  client_id uuid not null references oauth_clients,
  url text not null,
  events text[] not null,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  allow_http boolean not null default false,
  enabled boolean not null default true,
  disabled_reason text,
  failing_since timestamptz,
  created_at timestamptz not null
);
create index webhook_endpoints_client on webhook_endpoints (client_id) where enabled;
create table webhook_events (
  id text primary key,
  lead_id uuid not null references leads,
  client_id uuid not null references oauth_clients,
  type text not null check (type in ('lead.created', 'lead.assigned')),
  sequence int not null,
  body text not null,
  created_at timestamptz not null,
  unique (lead_id, sequence)
);
create table webhook_deliveries (
  event_id text not null references webhook_events,
  endpoint_id uuid not null references webhook_endpoints,
  lead_id uuid not null references leads,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  started_at timestamptz,
  attempts int not null default 0,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (event_id, endpoint_id)
);
create index webhook_deliveries_lead on webhook_deliveries (lead_id);
create index webhook_deliveries_pending on webhook_deliveries (created_at) where status = 'pending';
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, created_at desc);
create table webhook_attempts (
  id bigint generated always as identity primary key,
  event_id text not null,
  endpoint_id uuid not null,
  at timestamptz not null,
  status_code int,
  latency_ms int not null,
  error text,
  response_head text,
  foreign key (event_id, endpoint_id) references webhook_deliveries
);
create index webhook_attempts_delivery on webhook_attempts (event_id, endpoint_id, at);
`;
