export const leads = `
create table contacts (
  id uuid primary key,
  first_name text,
  middle_name text,
  last_name text,
  company_name text,
  marked_as_agent boolean not null default false,
  created_at timestamptz not null
);
create table contact_points (
  kind text not null check (kind in ('phone', 'email')),
  value text not null,
  contact_id uuid not null references contacts,
  primary key (kind, value)
);
create index contact_points_contact on contact_points (contact_id);
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
  reminded_at timestamptz,
  check ((assignment_status = 'assigned') = (owner_id is not null)),
  check ((assignment_status = 'pool') = (pool_id is not null))
) with (fillfactor = 80);
create index leads_contact on leads (contact_id, created_at desc);
create index leads_created on leads (created_at);
create index leads_pending on leads (updated_at) where assignment_status = 'pending';
create index leads_open_by_owner on leads (owner_id) where agent_responded_at is null;
create index leads_clock on leads (follow_up_due_at) where follow_up_due_at is not null;
create index leads_pool on leads (pool_id) where pool_id is not null;
create index leads_review on leads (created_at) where intake_unresolved is not null;
create index leads_open_windows on leads (merge_window_ends_at)
  where merge_window_closed_at is null and not is_portal;
create index leads_agent_enquiries on leads (contact_id) where is_agent_enquiry;
create table lead_access (
  lead_id uuid not null references leads,
  client_id uuid not null references oauth_clients,
  primary key (lead_id, client_id)
);
create table lead_contact_points (
  lead_id uuid not null references leads,
  kind text not null check (kind in ('phone', 'email')),
  value text not null,
  founding boolean not null,
  mergeable boolean not null,
  primary key (lead_id, kind, value)
);
create index lead_contact_points_mergeable on lead_contact_points (kind, value) where mergeable;
create unique index lead_contact_points_one_open_lead on lead_contact_points (kind, value)
  where mergeable and founding;
create table lead_outbox (
  id bigint generated always as identity primary key,
  lead_id uuid not null,
  event text not null,
  created_at timestamptz not null,
  attempts int not null default 0,
  next_attempt_at timestamptz not null
);
create index lead_outbox_due on lead_outbox (next_attempt_at);
create index lead_outbox_lead on lead_outbox (lead_id);
`;
