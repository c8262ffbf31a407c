create table "advertising_campaigns" ("id" uuid not null, "platform_campaign_id" text null, "name" text null, "name_key" text null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("id"));
alter table "advertising_campaigns" add constraint "advertising_campaigns_platform_campaign_id_key" unique ("platform_campaign_id");
create index "advertising_campaigns_by_any_name" on "advertising_campaigns" ("name_key");
create unique index "advertising_campaigns_by_name" on "advertising_campaigns" ("name_key") where platform_campaign_id is null;

create table "advertising_costs" ("day" date not null, "advertising_campaign_id" uuid not null, "currency" text not null, "amount" numeric not null, primary key ("day", "advertising_campaign_id", "currency"));
alter table "advertising_costs" add constraint "advertising_costs_amount_check" check (amount >= 0);

create table "agents" ("id" uuid not null, "email" text not null, "name" text not null, "slug" text not null, "phone" text null, "whatsapp_phone" text null, "active" boolean not null default true, "paused_at" timestamptz null, "languages" text[] not null default '{}', "location_ids" uuid[] not null default '{}', "category" text null, "time_zone" text not null default 'Asia/Dubai', "working_hours" jsonb not null default '{}', "daily_cap" int null, "open_cap" int null, primary key ("id"));
alter table "agents" add constraint "agents_email_key" unique ("email");
alter table "agents" add constraint "agents_slug_key" unique ("slug");
alter table "agents" add constraint "agents_email_check" check (email = lower(email));

create table "agent_dated_hours" ("agent_id" uuid not null, "starts" text not null, "ends" text not null, "working_hours" jsonb not null, primary key ("agent_id", "starts", "ends"));

create table "agent_absences" ("agent_id" uuid not null, "starts" text not null, "ends" text not null, "note" text null, primary key ("agent_id", "starts", "ends"));

create table "competitor_domains" ("domain" text not null, primary key ("domain"));

create table "contacts" ("id" uuid not null, "first_name" text null, "middle_name" text null, "last_name" text null, "company_name" text null, "marked_as_agent" boolean not null default false, "created_at" timestamptz not null, primary key ("id"));

create table "contact_points" ("kind" text not null, "value" text not null, "contact_id" uuid not null, primary key ("kind", "value"));
create index "contact_points_contact" on "contact_points" ("contact_id");
alter table "contact_points" add constraint "contact_points_kind_check" check ("kind" in ('phone', 'email'));

create table "developers" ("id" uuid not null, "slug" text not null, "name" text not null, "description" text null, "logo_url" text null, "image_url" text null, "enabled" boolean not null default true, "popular" boolean not null default false, "contact_id" uuid null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "search_name" text generated always as (f_unaccent(name)) stored null, "search_text" text generated always as (f_unaccent(name || ' ' || slug || ' ' || coalesce(description, ''))) stored null, primary key ("id"));
alter table "developers" add constraint "developers_slug_key" unique ("slug");
create index developers_search_name on developers using gin (search_name gin_trgm_ops);
create index developers_search_text on developers using gin (search_text gin_trgm_ops);
create index developers_nearest on developers using gist ((search_name || '') gist_trgm_ops(siglen = 256));
create index "developers_by_name" on "developers" ("name", "id") where enabled;

create table "dncr_answers" ("phone" text not null, "status" text not null, "dncr_status" text null, "registry_status" text null, "checked_at" timestamptz not null, "transaction_id" text not null, "number_hash" bytea null, primary key ("phone"));
create index "dncr_answers_age" on "dncr_answers" ("checked_at");
alter table "dncr_answers" add constraint "dncr_answers_status_check" check ("status" in ('registered', 'not_registered', 'not_found'));

create table "dncr_leases" ("phone" text not null, "check_id" uuid not null, "lease_until" timestamptz not null, primary key ("phone"));
create index "dncr_leases_check" on "dncr_leases" ("check_id");

create table "erasures" ("id" uuid not null, "reason" text not null, "author" text not null, "started_at" timestamptz not null, "finished_at" timestamptz null, "contact_point_hashes" bytea[] not null default '{}', "leads" int not null default 0, primary key ("id"));
alter table "erasures" add constraint "erasures_reason_check" check ("reason" in ('person', 'retention'));

create table "event_feed" ("position" bigint generated always as identity not null primary key, "client_id" uuid not null, "type" text not null, "event_id" text not null, "at" timestamptz not null default now(), "integration_ref" text null);
alter table "event_feed" add constraint "event_feed_event_id_key" unique ("event_id");
create index "event_feed_client" on "event_feed" ("client_id", "type", "position");
create index "event_feed_at" on "event_feed" ("at", "position");
create index "event_feed_integration_ref" on "event_feed" ("client_id", "integration_ref", "type", "position") where integration_ref is not null;

create table "event_feed_horizons" ("client_id" uuid not null, "type" text not null, "position" bigint not null, "at" timestamptz not null, primary key ("client_id", "type"));

create table "event_feed_queue" ("number" bigint generated always as identity not null primary key, "event_id" text not null);

create table "funnels" ("id" uuid not null, "key" text not null, "name" text not null, primary key ("id"));
alter table "funnels" add constraint "funnels_key_key" unique ("key");

create table "funnel_stages" ("id" uuid not null, "funnel_id" uuid not null, "position" int not null, "name" text not null, primary key ("id"));
alter table "funnel_stages" add constraint "funnel_stages_funnel_id_name_key" unique ("funnel_id", "name");

create table "holidays" ("name" text not null, "starts" text not null, "ends" text not null, primary key ("name", "starts", "ends"));

create table "known_agents" ("kind" text not null, "value" text not null, primary key ("kind", "value"));
alter table "known_agents" add constraint "known_agents_kind_check" check ("kind" in ('phone', 'email'));

create table "lead_outbox" ("id" bigint generated always as identity not null primary key, "lead_id" uuid not null, "event" text not null, "created_at" timestamptz not null, "attempts" int not null default 0, "next_attempt_at" timestamptz not null);
create index "lead_outbox_lead" on "lead_outbox" ("lead_id");
create index "lead_outbox_due_by_event" on "lead_outbox" ("event", "next_attempt_at");

create table "list_entries" ("id" uuid not null, "list" text not null, "key" text not null, "name" text not null, "aliases" text[] not null default '{}', "parent_id" uuid null, "attributes" jsonb not null default '{}', "enabled" boolean not null default true, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));
alter table "list_entries" add constraint "list_entries_list_key_key" unique ("list", "key");

create table "locations" ("id" uuid not null, "key" text not null, "name" text not null, "name_ar" text null, "level" text not null, "parent_id" uuid null, "path" text not null, "ancestor_ids" uuid[] not null default '{}', "latitude" double precision null, "longitude" double precision null, "enabled" boolean not null default true, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "search_name" text generated always as (f_unaccent(name)) stored null, "search_name_ar" text generated always as (f_unaccent(coalesce(name_ar, ''))) stored null, primary key ("id"));
alter table "locations" add constraint "locations_key_key" unique ("key");
create index "locations_parent" on "locations" ("parent_id");
create index "locations_ancestors" on "locations" using gin ("ancestor_ids");
create index "locations_by_path" on "locations" ("path", "id") include ("name", "level") where enabled;
create index "locations_enabled" on "locations" ("enabled") where enabled;
create index locations_by_level on locations (lower(level), path, id) where enabled;
create index locations_search on locations using gin (search_name gin_trgm_ops, search_name_ar gin_trgm_ops);
create index locations_nearest on locations using gist ((search_name || '') gist_trgm_ops(siglen = 256));
create index locations_nearest_ar on locations using gist ((search_name_ar || '') gist_trgm_ops(siglen = 256));

create table "listings" ("id" uuid not null, "reference_no" text not null, "purpose" text not null, "market" text not null, "price" numeric null, "price_on_application" boolean not null default false, "currency" text null, "bedrooms" text null, "developer_id" uuid null, "location_id" uuid null, "property_type_id" uuid null, "agent_id" uuid null, "enabled" boolean not null default true, "updated_at" timestamptz not null default now(), primary key ("id"));
create index listings_reference on listings (lower(reference_no));
alter table "listings" add constraint "listings_purpose_check" check ("purpose" in ('sale', 'rent'));
alter table "listings" add constraint "listings_market_check" check ("market" in ('primary', 'secondary'));

create table "oauth_clients" ("id" uuid not null, "client_id" text not null, "name" text not null, "secret_hash" bytea not null, "scope" text not null default '', "daily_quota" int null, "active" boolean not null default true, "created_at" timestamptz not null, "rotated_at" timestamptz null, primary key ("id"));
alter table "oauth_clients" add constraint "oauth_clients_client_id_key" unique ("client_id");

create table "leads" ("id" uuid not null, "contact_id" uuid not null, "client_id" uuid not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, "lead_phones" text[] not null default '{}', "lead_emails" text[] not null default '{}', "lead_first_name" text null, "lead_middle_name" text null, "lead_second_name" text null, "lead_last_name" text null, "lead_company_name" text null, "lead_type_id" uuid null, "funnel_id" uuid not null, "stage_id" uuid null, "priority" text null, "market_segment_id" text null, "agent_category_id" text null, "closing_area_id" uuid null, "location_id" uuid null, "property_type_interest_id" uuid null, "bedrooms" text null, "budget_min" numeric null, "budget_max" numeric null, "currency_id" text null, "initial_inquiry" text null, "language_ids" text[] not null default '{}', "listing_id" uuid null, "source_id" uuid null, "sub_source_ids" uuid[] not null default '{}', "marketing_type_id" uuid null, "event_type_id" uuid null, "campaign_id" uuid null, "advertising_campaign_id" uuid null, "developer_id" uuid null, "website_id" uuid null, "page_url" text null, "path_locale" text null, "gclid" text null, "fbclid" text null, "utm_source" text null, "utm_medium" text null, "utm_campaign" text null, "utm_term" text null, "utm_content" text null, "form_name" text null, "adset_name" text null, "referrer" text null, "ip_address" text null, "user_agent" text null, "submitted_at" timestamptz null, "locale_country_id" text null, "distribution_type" text null, "integration_ref" text null, "final_page_name" text null, "ad_id" text null, "ad_name" text null, "adgroup_id" text null, "adgroup_name" text null, "form_id" text null, "ad_form_name" text null, "is_portal" boolean not null default false, "is_repeat_lead" boolean not null default false, "repeat_of_lead_id" uuid null, "is_agent_enquiry" boolean not null default false, "agent_enquiry_reason" text null, "intake_unresolved" jsonb null, "merge_window_ends_at" timestamptz not null, "merge_window_closed_at" timestamptz null, "assignment_status" text not null, "owner_id" uuid null, "pool_id" uuid null, "is_personal" boolean not null default false, "round" int not null default 1, "moves" int not null default 0, "assigned_at" timestamptz null, "placed_at" timestamptz not null default now(), "placed_by_rule" text null, "follow_up_due_at" timestamptz null, "agent_response_seconds" int null, "agent_responded_at" timestamptz null, "event_sequence" int not null default 0, "reminded_at" timestamptz null, "traceparent" text null, "erased_at" timestamptz null, "listing_set_by" text null, "developer_set_by" text null, primary key ("id"));
create index "leads_created" on "leads" ("created_at");
create index "leads_contact" on "leads" ("contact_id", "created_at" DESC);
create index leads_integration_ref on leads (lower(integration_ref)) where integration_ref is not null;
create index leads_first_name on leads (lower(lead_first_name) text_pattern_ops) where lead_first_name is not null;
create index leads_last_name on leads (lower(lead_last_name) text_pattern_ops) where lead_last_name is not null;
create index leads_last_word on leads (lower(substring(lead_last_name from '[^ -]+$')) text_pattern_ops) where lead_last_name ~ '[ -]';
create index "leads_agent_enquiries" on "leads" ("contact_id") where is_agent_enquiry;
create index "leads_pending" on "leads" ("updated_at") where assignment_status = 'pending';
create index "leads_open_by_owner" on "leads" ("owner_id") where agent_responded_at is null;
create index "leads_clock" on "leads" ("follow_up_due_at") where follow_up_due_at is not null;
create index "leads_open_windows" on "leads" ("merge_window_ends_at") where merge_window_closed_at is null and not is_portal;
create index "leads_pool" on "leads" ("pool_id") where pool_id is not null;
create index "leads_placed" on "leads" ("placed_at", "id");
create index "leads_placed_status" on "leads" ("assignment_status", "placed_at", "id");
create index "leads_placed_owner" on "leads" ("owner_id", "placed_at", "id") where owner_id is not null;
create index "leads_placed_source" on "leads" ("source_id", "placed_at", "id") where source_id is not null;
create index "leads_placed_client" on "leads" ("client_id", "placed_at", "id");
create index "leads_placed_rule" on "leads" ("placed_by_rule", "placed_at", "id") where placed_by_rule is not null;
create index "leads_unanswered" on "leads" ("placed_at", "id") where agent_responded_at is null and assignment_status <> 'unassigned';
create index "leads_responded" on "leads" ("agent_responded_at") where agent_responded_at is not null;
create index "leads_review" on "leads" ("placed_at", "id") where intake_unresolved is not null;
alter table "leads" add constraint "leads_check" check ((assignment_status = 'assigned') = (owner_id is not null));
alter table "leads" add constraint "leads_check1" check ((assignment_status = 'pool') = (pool_id is not null));
alter table "leads" add constraint "leads_assignment_status_check" check ("assignment_status" in ('pending', 'assigned', 'unassigned', 'pool'));

create table "lead_contact_points" ("lead_id" uuid not null, "kind" text not null, "value" text not null, "founding" boolean not null, "mergeable" boolean not null, primary key ("lead_id", "kind", "value"));
create index "lead_contact_points_value" on "lead_contact_points" ("kind", "value");
create index lead_contact_points_digits on lead_contact_points (reverse(value) text_pattern_ops) where kind = 'phone';
create unique index "lead_contact_points_one_open_lead" on "lead_contact_points" ("kind", "value") where mergeable and founding;
alter table "lead_contact_points" add constraint "lead_contact_points_kind_check" check ("kind" in ('phone', 'email'));

create table "hand_overs" ("id" uuid not null, "target" text not null, "agent_id" uuid null, "pool_id" uuid null, "released_agent_id" uuid null, "only_waiting" boolean not null, "moves_responded" boolean not null default false, "moves_personal" boolean not null, "only_statuses" text[] null, "only_round" int null, "only_move" int null, "only_unchanged_since" timestamptz null, "undoes" uuid null, "undone_lead_id" uuid null, "lifts_exclusion" boolean not null default false, "author" text not null, "reason" text null, "requested_at" timestamptz not null, primary key ("id"));
create index "hand_overs_undoes" on "hand_overs" ("undoes") where undoes is not null;
alter table "hand_overs" add constraint "hand_overs_check" check ((target = 'agent') = (agent_id is not null));
alter table "hand_overs" add constraint "hand_overs_check1" check ((target = 'pool') = (pool_id is not null));
alter table "hand_overs" add constraint "hand_overs_target_check" check ("target" in ('agent', 'pool', 'rules', 'nobody'));

create table "lead_access" ("lead_id" uuid not null, "client_id" uuid not null, primary key ("lead_id", "client_id"));

create table "dncr_checks" ("id" uuid not null, "client_id" uuid not null, "requested_at" timestamptz not null, "finished_at" timestamptz null, "outcome" text not null, "fresh" boolean not null, "number_hashes" bytea[] not null, "invalid" int not null, "from_cache" int not null, "from_registry" int not null default 0, "registered" int not null default 0, "not_registered" int not null default 0, "not_found" int not null default 0, "unavailable" int not null default 0, "transaction_id" text null, primary key ("id"));
create index "dncr_checks_time" on "dncr_checks" ("requested_at");
alter table "dncr_checks" add constraint "dncr_checks_outcome_check" check ("outcome" in ('open', 'answered', 'failed'));

create table "dncr_check_numbers" ("check_id" uuid not null, "phone" text not null, "status" text null, "dncr_status" text null, "registry_status" text null, "checked_at" timestamptz null, "transaction_id" text null, "from_cache" boolean not null default false, "number_hash" bytea null, primary key ("check_id", "phone"));
alter table "dncr_check_numbers" add constraint "dncr_check_numbers_status_check" check ("status" in ('registered', 'not_registered', 'not_found', 'unavailable'));

create table "oauth_tokens" ("token_hash" bytea not null, "client_id" uuid not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "revoked_at" timestamptz null, primary key ("token_hash"));
create index "oauth_tokens_expiry" on "oauth_tokens" ("expires_at");
create index "oauth_tokens_live" on "oauth_tokens" ("client_id") where revoked_at is null;

create table "operator_texts" ("id" uuid not null, "lead_id" uuid null, "hand_over_id" uuid null, "author" text not null, "written_at" timestamptz not null, "text" text not null, primary key ("id"));
create index "operator_texts_lead" on "operator_texts" ("lead_id");
alter table "operator_texts" add constraint "operator_texts_hand_over_id_key" unique ("hand_over_id");
alter table "operator_texts" add constraint "operator_texts_check" check (num_nonnulls(lead_id, hand_over_id) > 0);

create table "projects" ("id" uuid not null, "slug" text not null, "title" text null, "description" text null, "developer_id" uuid null, "location_id" uuid not null, "status_id" uuid not null, "property_type_ids" uuid[] not null default '{}', "campaign_type" text null, "ownership_type" text null, "stock_availability" text null, "starting_price" numeric null, "delivery_date" date null, "brochure" boolean not null default false, "payment_plans" text[] not null default '{}', "bedrooms" text[] not null default '{}', "amenities" text[] not null default '{}', "latitude" double precision null, "longitude" double precision null, "images" jsonb not null default '[]', "published" boolean not null default true, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "search_name" text generated always as (f_unaccent(coalesce(title, ''))) stored null, "search_text" text generated always as (f_unaccent(coalesce(title, '') || ' ' || slug || ' ' || coalesce(description, ''))) stored null, primary key ("id"));
alter table "projects" add constraint "projects_slug_key" unique ("slug");
create index projects_search_name on projects using gin (search_name gin_trgm_ops);
create index projects_search_text on projects using gin (search_text gin_trgm_ops);
create index projects_nearest on projects using gist ((search_name || '') gist_trgm_ops(siglen = 256));
create index "projects_published" on "projects" ("published") where published;
create index "projects_by_title" on "projects" ("title", "id") where published;
create index "projects_developer" on "projects" ("developer_id") where published;
create index "projects_location" on "projects" ("location_id") where published;
create index "projects_place" on "projects" ("latitude", "longitude") where published;

create table "quiz_fields" ("quiz_key" text not null, "question_key" text not null, "field" text not null, primary key ("quiz_key", "question_key"));

create table "quiz_questions" ("quiz_key" text not null, "question" text not null, "label" text null, "position" int not null, "options" text[] not null default '{}', "first_seen_at" timestamptz not null, primary key ("quiz_key", "question"));

create table "quota_usage" ("client_id" uuid not null, "day" date not null, "used" int not null, primary key ("client_id", "day"));

create table "reference_state" ("only_row" boolean not null default true, "version" bigint not null, primary key ("only_row"));
alter table "reference_state" add constraint "reference_state_only_row_check" check (only_row);

create table "routing_rulesets" ("version" int generated always as identity not null primary key, "rules" jsonb not null, "content_hash" text not null, "author" text not null, "created_at" timestamptz not null);

create table "routing_activations" ("id" int generated always as identity not null primary key, "version" int not null, "author" text not null, "activated_at" timestamptz not null);

create table "lead_waits" ("lead_id" uuid not null, "round" int not null, "rule_name" text not null, "since" timestamptz not null, "decided_at" timestamptz not null, "due_at" timestamptz not null, "ends_at" timestamptz not null, "reason" text not null, "ruleset_version" int not null, "facts" jsonb not null, "facts_hash" text not null, "roster" jsonb null, "roster_hash" text not null, "explanation" jsonb null, "hand_over_id" uuid null, primary key ("lead_id", "round", "rule_name"));
create index "lead_waits_decided" on "lead_waits" ("decided_at");

create table "assignments" ("id" uuid not null, "lead_id" uuid not null, "round" int not null, "move" int not null, "status" text not null, "agent_id" uuid null, "previous_agent_id" uuid null, "pool_id" uuid null, "decided_by" text not null, "rule_name" text null, "ruleset_version" int null, "reason" text not null, "follow_up" jsonb null, "follow_up_due_at" timestamptz null, "claim_id" text null, "hand_over_id" uuid null, "decided_at" timestamptz not null, primary key ("id"));
alter table "assignments" add constraint "assignments_claim_id_key" unique ("claim_id");
create index "assignments_decided" on "assignments" ("decided_at");
create index "assignments_agent_day" on "assignments" ("agent_id", "decided_at") where agent_id is not null;
alter table "assignments" add constraint "assignments_lead_id_round_move_key" unique ("lead_id", "round", "move");
create unique index "assignments_hand_over" on "assignments" ("hand_over_id", "lead_id") where hand_over_id is not null;
alter table "assignments" add constraint "assignments_status_check" check ("status" in ('assigned', 'unassigned', 'pool'));
alter table "assignments" add constraint "assignments_decided_by_check" check ("decided_by" in ('rules', 'listing', 'assigned_by', 'follow_up', 'claim', 'operator'));

create table "routing_decisions" ("assignment_id" uuid not null, "ruleset_version" int not null, "facts" jsonb not null, "facts_hash" text not null, "roster" jsonb not null, "roster_hash" text not null, "explanation" jsonb not null, primary key ("assignment_id"));

create table "submissions" ("id" uuid not null, "lead_id" uuid not null, "client_id" uuid not null, "kind" text not null, "received_at" timestamptz not null, "body" json not null, primary key ("id"));
create index "submissions_lead" on "submissions" ("lead_id", "received_at");
alter table "submissions" add constraint "submissions_kind_check" check ("kind" in ('create', 'merge', 'update'));

create table "quiz_answers" ("id" uuid not null, "lead_id" uuid not null, "submission_id" uuid not null, "quiz_key" text not null, "position" int not null, "question" text null, "raw" json not null, "reading" jsonb not null, "flagged" boolean not null, "superseded_at" timestamptz null, primary key ("id"));
create index "quiz_answers_current" on "quiz_answers" ("lead_id", "quiz_key") where superseded_at is null;

create table "comments" ("id" uuid not null, "lead_id" uuid not null, "submission_id" uuid not null, "client_id" uuid not null, "position" int not null, "occurred_at" timestamptz not null, "text" text not null, "author" text null, "channel" text null, "direction" text null, "external_id" text null, primary key ("id"));
create unique index comments_external on comments
    (lead_id, client_id, coalesce(channel, ''), external_id) where external_id is not null;
alter table "comments" add constraint "comments_direction_check" check ("direction" in ('inbound', 'outbound'));

create table "ad_platform_blocks" ("ad_platform_lead_id" text not null, "lead_id" uuid not null, "submission_id" uuid not null, "block" json not null, primary key ("ad_platform_lead_id"));
create index "ad_platform_blocks_lead" on "ad_platform_blocks" ("lead_id");

create table "teams" ("id" uuid not null, "name" text not null, primary key ("id"));
alter table "teams" add constraint "teams_name_key" unique ("name");

create table "team_members" ("team_id" uuid not null, "agent_id" uuid not null, "weight" int not null default 1, "position" int not null, "owed_leads" double precision null, primary key ("team_id", "agent_id"));
alter table "team_members" add constraint "team_members_weight_check" check (weight > 0);

create table "timeline_notes" ("id" uuid not null, "lead_id" uuid not null, "at" timestamptz not null, "kind" text not null, "client_id" uuid null, "text" text not null, "data" jsonb not null default '{}', primary key ("id"));
create index "timeline_notes_lead" on "timeline_notes" ("lead_id", "at");
alter table "timeline_notes" add constraint "timeline_notes_kind_check" check ("kind" in ('created', 'assigned', 'pool', 'unassigned', 'waiting', 'follow_up', 'response', 'updated', 'merged', 'resolved'));

create table "token_failures" ("key" text not null, "window_start" timestamptz not null, "failures" int not null, primary key ("key", "window_start"));

create table "waiting_leads" ("lead_id" uuid not null, "since" timestamptz not null, "due_at" timestamptz not null, "team_ids" uuid[] not null, "agent_ids" uuid[] not null, "reference_version" bigint not null default 0, primary key ("lead_id"));
create index "waiting_leads_due" on "waiting_leads" ("due_at");
create index "waiting_leads_reference" on "waiting_leads" ("reference_version");
create index "waiting_leads_order" on "waiting_leads" ("since", "lead_id");

create table "waiting_wakeups" ("id" bigint generated always as identity not null primary key, "agent_id" uuid not null);

create table "webhook_endpoints" ("id" uuid not null, "client_id" uuid not null, "url" text not null, "events" text[] not null, "secret_sealed" bytea not null, "previous_secret_sealed" bytea null, "previous_secret_until" timestamptz null, "allow_http" boolean not null default false, "enabled" boolean not null default true, "disabled_reason" text null, "failing_since" timestamptz null, "last_failure_at" timestamptz null, "created_at" timestamptz not null, primary key ("id"));
create index "webhook_endpoints_client" on "webhook_endpoints" ("client_id") where enabled;

create table "webhook_events" ("id" text not null, "lead_id" uuid not null, "client_id" uuid not null, "type" text not null, "sequence" int null, "body" text not null, "created_at" timestamptz not null, "traceparent" text null, primary key ("id"));
create index "webhook_events_type" on "webhook_events" ("type", "created_at", "id");
alter table "webhook_events" add constraint "webhook_events_lead_id_sequence_key" unique ("lead_id", "sequence");
alter table "webhook_events" add constraint "webhook_events_type_check" check ("type" in ('lead.created', 'lead.assigned', 'lead.pooled', 'lead.unassigned', 'lead.responded', 'lead.enquired', 'endpoint.failing', 'endpoint.disabled'));

create table "webhook_deliveries" ("event_id" text not null, "endpoint_id" uuid not null, "lead_id" uuid not null, "status" text not null default 'pending', "attempts" int not null default 0, "generation" int not null default 0, "next_attempt_at" timestamptz null, "failure_reason" text null, "created_at" timestamptz not null, "finished_at" timestamptz null, "is_erased" boolean not null default false, primary key ("event_id", "endpoint_id"));
create index "webhook_deliveries_lead" on "webhook_deliveries" ("lead_id");
create index "webhook_deliveries_endpoint" on "webhook_deliveries" ("endpoint_id", "created_at" DESC);
create index "webhook_deliveries_open_endpoint" on "webhook_deliveries" ("endpoint_id") where status = 'pending';
create index "webhook_deliveries_pending" on "webhook_deliveries" ("created_at") where status = 'pending';
create index "webhook_deliveries_failed" on "webhook_deliveries" ("finished_at") where status = 'failed';
create index "webhook_deliveries_failed_made" on "webhook_deliveries" ("created_at") where status = 'failed';
create index "webhook_deliveries_held" on "webhook_deliveries" ("endpoint_id") where status = 'held';
alter table "webhook_deliveries" add constraint "webhook_deliveries_status_check" check ("status" in ('pending', 'delivered', 'failed', 'held'));

create table "webhook_attempts" ("id" bigint generated always as identity not null primary key, "event_id" text not null, "endpoint_id" uuid not null, "at" timestamptz not null, "status_code" int null, "latency_ms" int not null, "error" text null, "response_head" text null);
create index "webhook_attempts_delivery" on "webhook_attempts" ("event_id", "endpoint_id", "at");
create index webhook_attempts_at on webhook_attempts using brin (at);

create table "worker_leases" ("name" text not null, "holder" uuid not null, "expires_at" timestamptz not null, primary key ("name"));

alter table "advertising_costs" add constraint "advertising_costs_advertising_campaign_id_fkey" foreign key ("advertising_campaign_id") references "advertising_campaigns" ("id") on update no action on delete no action;

alter table "agent_dated_hours" add constraint "agent_dated_hours_agent_id_fkey" foreign key ("agent_id") references "agents" ("id") on update no action on delete no action;

alter table "agent_absences" add constraint "agent_absences_agent_id_fkey" foreign key ("agent_id") references "agents" ("id") on update no action on delete no action;

alter table "contact_points" add constraint "contact_points_contact_id_fkey" foreign key ("contact_id") references "contacts" ("id") on update no action on delete no action;

alter table "funnel_stages" add constraint "funnel_stages_funnel_id_fkey" foreign key ("funnel_id") references "funnels" ("id") on update no action on delete no action;

alter table "list_entries" add constraint "list_entries_parent_id_fkey" foreign key ("parent_id") references "list_entries" ("id") on update no action on delete no action;

alter table "locations" add constraint "locations_parent_id_fkey" foreign key ("parent_id") references "locations" ("id") on update no action on delete no action;

alter table "listings" add constraint "listings_developer_id_fkey" foreign key ("developer_id") references "developers" ("id") on update no action on delete no action;
alter table "listings" add constraint "listings_location_id_fkey" foreign key ("location_id") references "locations" ("id") on update no action on delete no action;
alter table "listings" add constraint "listings_property_type_id_fkey" foreign key ("property_type_id") references "list_entries" ("id") on update no action on delete no action;
alter table "listings" add constraint "listings_agent_id_fkey" foreign key ("agent_id") references "agents" ("id") on update no action on delete no action;

alter table "leads" add constraint "leads_contact_id_fkey" foreign key ("contact_id") references "contacts" ("id") on update no action on delete no action;
alter table "leads" add constraint "leads_client_id_fkey" foreign key ("client_id") references "oauth_clients" ("id") on update no action on delete no action;
alter table "leads" add constraint "leads_funnel_id_fkey" foreign key ("funnel_id") references "funnels" ("id") on update no action on delete no action;
alter table "leads" add constraint "leads_stage_id_fkey" foreign key ("stage_id") references "funnel_stages" ("id") on update no action on delete no action;
alter table "leads" add constraint "leads_advertising_campaign_id_fkey" foreign key ("advertising_campaign_id") references "advertising_campaigns" ("id") on update no action on delete no action;
alter table "leads" add constraint "leads_owner_id_fkey" foreign key ("owner_id") references "agents" ("id") on update no action on delete no action;
alter table "leads" add constraint "leads_pool_id_fkey" foreign key ("pool_id") references "list_entries" ("id") on update no action on delete no action;

alter table "lead_contact_points" add constraint "lead_contact_points_lead_id_fkey" foreign key ("lead_id") references "leads" ("id") on update no action on delete no action;

alter table "hand_overs" add constraint "hand_overs_agent_id_fkey" foreign key ("agent_id") references "agents" ("id") on update no action on delete no action;
alter table "hand_overs" add constraint "hand_overs_pool_id_fkey" foreign key ("pool_id") references "list_entries" ("id") on update no action on delete no action;
alter table "hand_overs" add constraint "hand_overs_released_agent_id_fkey" foreign key ("released_agent_id") references "agents" ("id") on update no action on delete no action;
alter table "hand_overs" add constraint "hand_overs_undone_lead_id_fkey" foreign key ("undone_lead_id") references "leads" ("id") on update no action on delete no action;

alter table "lead_access" add constraint "lead_access_lead_id_fkey" foreign key ("lead_id") references "leads" ("id") on update no action on delete no action;
alter table "lead_access" add constraint "lead_access_client_id_fkey" foreign key ("client_id") references "oauth_clients" ("id") on update no action on delete no action;

alter table "dncr_checks" add constraint "dncr_checks_client_id_fkey" foreign key ("client_id") references "oauth_clients" ("id") on update no action on delete no action;

alter table "dncr_check_numbers" add constraint "dncr_check_numbers_check_id_fkey" foreign key ("check_id") references "dncr_checks" ("id") on update no action on delete cascade;

alter table "oauth_tokens" add constraint "oauth_tokens_client_id_fkey" foreign key ("client_id") references "oauth_clients" ("id") on update no action on delete no action;

alter table "operator_texts" add constraint "operator_texts_lead_id_fkey" foreign key ("lead_id") references "leads" ("id") on update no action on delete no action;
alter table "operator_texts" add constraint "operator_texts_hand_over_id_fkey" foreign key ("hand_over_id") references "hand_overs" ("id") on update no action on delete no action;

alter table "projects" add constraint "projects_developer_id_fkey" foreign key ("developer_id") references "developers" ("id") on update no action on delete no action;
alter table "projects" add constraint "projects_location_id_fkey" foreign key ("location_id") references "locations" ("id") on update no action on delete no action;
alter table "projects" add constraint "projects_status_id_fkey" foreign key ("status_id") references "list_entries" ("id") on update no action on delete no action;

alter table "quota_usage" add constraint "quota_usage_client_id_fkey" foreign key ("client_id") references "oauth_clients" ("id") on update no action on delete no action;

alter table "routing_activations" add constraint "routing_activations_version_fkey" foreign key ("version") references "routing_rulesets" ("version") on update no action on delete no action;

alter table "lead_waits" add constraint "lead_waits_lead_id_fkey" foreign key ("lead_id") references "leads" ("id") on update no action on delete no action;
alter table "lead_waits" add constraint "lead_waits_ruleset_version_fkey" foreign key ("ruleset_version") references "routing_rulesets" ("version") on update no action on delete no action;
alter table "lead_waits" add constraint "lead_waits_hand_over_id_fkey" foreign key ("hand_over_id") references "hand_overs" ("id") on update no action on delete no action;

alter table "assignments" add constraint "assignments_lead_id_fkey" foreign key ("lead_id") references "leads" ("id") on update no action on delete no action;
alter table "assignments" add constraint "assignments_agent_id_fkey" foreign key ("agent_id") references "agents" ("id") on update no action on delete no action;
alter table "assignments" add constraint "assignments_previous_agent_id_fkey" foreign key ("previous_agent_id") references "agents" ("id") on update no action on delete no action;
alter table "assignments" add constraint "assignments_pool_id_fkey" foreign key ("pool_id") references "list_entries" ("id") on update no action on delete no action;
alter table "assignments" add constraint "assignments_ruleset_version_fkey" foreign key ("ruleset_version") references "routing_rulesets" ("version") on update no action on delete no action;
alter table "assignments" add constraint "assignments_hand_over_id_fkey" foreign key ("hand_over_id") references "hand_overs" ("id") on update no action on delete no action;

alter table "routing_decisions" add constraint "routing_decisions_assignment_id_fkey" foreign key ("assignment_id") references "assignments" ("id") on update no action on delete no action;
alter table "routing_decisions" add constraint "routing_decisions_ruleset_version_fkey" foreign key ("ruleset_version") references "routing_rulesets" ("version") on update no action on delete no action;

alter table "submissions" add constraint "submissions_lead_id_fkey" foreign key ("lead_id") references "leads" ("id") on update no action on delete no action;
alter table "submissions" add constraint "submissions_client_id_fkey" foreign key ("client_id") references "oauth_clients" ("id") on update no action on delete no action;

alter table "quiz_answers" add constraint "quiz_answers_lead_id_fkey" foreign key ("lead_id") references "leads" ("id") on update no action on delete no action;
alter table "quiz_answers" add constraint "quiz_answers_submission_id_fkey" foreign key ("submission_id") references "submissions" ("id") on update no action on delete no action;

alter table "comments" add constraint "comments_lead_id_fkey" foreign key ("lead_id") references "leads" ("id") on update no action on delete no action;
alter table "comments" add constraint "comments_submission_id_fkey" foreign key ("submission_id") references "submissions" ("id") on update no action on delete no action;
alter table "comments" add constraint "comments_client_id_fkey" foreign key ("client_id") references "oauth_clients" ("id") on update no action on delete no action;

alter table "ad_platform_blocks" add constraint "ad_platform_blocks_lead_id_fkey" foreign key ("lead_id") references "leads" ("id") on update no action on delete no action;
alter table "ad_platform_blocks" add constraint "ad_platform_blocks_submission_id_fkey" foreign key ("submission_id") references "submissions" ("id") on update no action on delete no action;

alter table "team_members" add constraint "team_members_team_id_fkey" foreign key ("team_id") references "teams" ("id") on update no action on delete no action;
alter table "team_members" add constraint "team_members_agent_id_fkey" foreign key ("agent_id") references "agents" ("id") on update no action on delete no action;

alter table "timeline_notes" add constraint "timeline_notes_lead_id_fkey" foreign key ("lead_id") references "leads" ("id") on update no action on delete no action;
alter table "timeline_notes" add constraint "timeline_notes_client_id_fkey" foreign key ("client_id") references "oauth_clients" ("id") on update no action on delete no action;

alter table "waiting_leads" add constraint "waiting_leads_lead_id_fkey" foreign key ("lead_id") references "leads" ("id") on update no action on delete no action;

alter table "waiting_wakeups" add constraint "waiting_wakeups_agent_id_fkey" foreign key ("agent_id") references "agents" ("id") on update no action on delete no action;

alter table "webhook_endpoints" add constraint "webhook_endpoints_client_id_fkey" foreign key ("client_id") references "oauth_clients" ("id") on update no action on delete no action;

alter table "webhook_events" add constraint "webhook_events_lead_id_fkey" foreign key ("lead_id") references "leads" ("id") on update no action on delete no action;
alter table "webhook_events" add constraint "webhook_events_client_id_fkey" foreign key ("client_id") references "oauth_clients" ("id") on update no action on delete no action;

alter table "webhook_deliveries" add constraint "webhook_deliveries_event_id_fkey" foreign key ("event_id") references "webhook_events" ("id") on update no action on delete no action;
alter table "webhook_deliveries" add constraint "webhook_deliveries_endpoint_id_fkey" foreign key ("endpoint_id") references "webhook_endpoints" ("id") on update no action on delete no action;
alter table "webhook_deliveries" add constraint "webhook_deliveries_lead_id_fkey" foreign key ("lead_id") references "leads" ("id") on update no action on delete no action;

alter table "webhook_attempts" add constraint "webhook_attempts_event_id_endpoint_id_fkey" foreign key ("event_id", "endpoint_id") references "webhook_deliveries" ("event_id", "endpoint_id") on update no action on delete no action;
