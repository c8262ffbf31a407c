const words = (text: string) => text.split(/\s+/);

/** The columns of all tables that hold no data of a person; store/people/personal-columns.ts has those that do. */
export const otherColumns: Readonly<Record<string, readonly string[]>> = {
  leads:
    words(`id contact_id client_id created_at updated_at lead_type_id funnel_id stage_id market_segment_id
    agent_category_id closing_area_id location_id property_type_interest_id bedrooms budget_min budget_max
    currency_id language_ids listing_id source_id sub_source_ids marketing_type_id event_type_id campaign_id
    advertising_campaign_id developer_id website_id submitted_at locale_country_id integration_ref is_portal
    is_repeat_lead repeat_of_lead_id is_agent_enquiry agent_enquiry_reason merge_window_ends_at
    merge_window_closed_at assignment_status owner_id pool_id is_personal round moves assigned_at placed_at
    placed_by_rule follow_up_due_at agent_response_seconds agent_responded_at event_sequence reminded_at
    erased_at traceparent listing_set_by developer_set_by`),
  lead_contact_points: words(`lead_id founding mergeable`),
  submissions: words(`id lead_id client_id kind received_at`),
  comments: words(`id lead_id submission_id client_id position`),
  quiz_answers: words(`id lead_id submission_id position flagged superseded_at`),
  ad_platform_blocks: words(`lead_id submission_id`),
  webhook_attempts: words(`id event_id endpoint_id at status_code latency_ms error`),
  operator_texts: words(`id lead_id hand_over_id author written_at`),
  hand_overs:
    words(`id target agent_id pool_id released_agent_id only_waiting only_statuses only_round only_move
    only_unchanged_since undoes undone_lead_id lifts_exclusion moves_responded moves_personal author
    requested_at`),
  contacts: words(`id marked_as_agent created_at`),
  contact_points: words(`contact_id`),
  dncr_check_numbers: words(`check_id`),
  dncr_leases: words(`check_id lease_until`),
  // The proof of having asked: keyed hashes.
  dncr_checks:
    words(`id client_id requested_at finished_at outcome fresh number_hashes invalid from_cache from_registry registered
    not_registered not_found unavailable transaction_id`),
  erasures: words(`id reason author started_at finished_at contact_point_hashes leads`),
  routing_decisions: words(`assignment_id ruleset_version roster roster_hash explanation`),
  lead_waits:
    words(`lead_id round rule_name ruleset_version since decided_at due_at ends_at reason roster roster_hash
    explanation hand_over_id`),
  assignments:
    words(`id lead_id round move status agent_id previous_agent_id pool_id decided_by rule_name ruleset_version reason
    follow_up follow_up_due_at claim_id hand_over_id decided_at`),
  lead_access: words(`lead_id client_id`),
  waiting_leads: words(`lead_id since due_at team_ids agent_ids reference_version`),
  waiting_wakeups: words(`id agent_id`),
  worker_leases: words(`name holder expires_at`),
  lead_outbox: words(`id lead_id event created_at attempts next_attempt_at`),
  timeline_notes: words(`id lead_id at kind client_id text data`),
  // Bodies name the lead and its contact by id; the customer is not in them.
  webhook_events: words(`id lead_id client_id type sequence body created_at traceparent`),
  event_feed: words(`position client_id type event_id at integration_ref`),
  event_feed_horizons: words(`client_id type position at`),
  event_feed_queue: words(`number event_id`),
  webhook_deliveries:
    words(`event_id endpoint_id lead_id status attempts next_attempt_at created_at finished_at failure_reason generation
    is_erased`),
  webhook_endpoints:
    words(`id client_id url events secret_sealed previous_secret_sealed previous_secret_until allow_http enabled
    disabled_reason failing_since created_at last_failure_at`),

  // Records of the business: agents, integrators, lists, rules, forms and campaigns.
  agents:
    words(`id email name slug phone whatsapp_phone active paused_at languages location_ids category time_zone
    working_hours daily_cap open_cap`),
  teams: words(`id name`),
  team_members: words(`team_id agent_id weight position owed_leads`),
  agent_absences: words(`agent_id starts ends note`),
  agent_dated_hours: words(`agent_id starts ends working_hours`),
  holidays: words(`name starts ends`),
  oauth_clients: words(
    `id client_id name secret_hash scope daily_quota active created_at rotated_at`,
  ),
  oauth_tokens: words(`token_hash client_id created_at expires_at revoked_at`),
  quota_usage: words(`client_id day used`),
  token_failures: words(`key window_start failures`),
  reference_state: words(`only_row version`),
  list_entries: words(
    `id list key name aliases parent_id attributes enabled created_at updated_at`,
  ),
  funnels: words(`id key name`),
  funnel_stages: words(`id funnel_id position name`),
  locations:
    words(`id key name name_ar level parent_id path ancestor_ids latitude longitude enabled created_at updated_at
    search_name search_name_ar`),
  developers:
    words(`id slug name description logo_url image_url enabled popular contact_id created_at updated_at search_name
    search_text`),
  projects:
    words(`id slug title description developer_id location_id status_id property_type_ids campaign_type ownership_type
    stock_availability starting_price delivery_date brochure payment_plans bedrooms amenities latitude
    longitude images published created_at updated_at search_name search_text`),
  listings:
    words(`id reference_no purpose market price price_on_application currency bedrooms developer_id location_id
    property_type_id agent_id enabled updated_at`),
  competitor_domains: words(`domain`),
  routing_rulesets: words(`version rules content_hash author created_at`),
  routing_activations: words(`id version author activated_at`),
  quiz_fields: words(`quiz_key question_key field`),
  quiz_questions: words(`quiz_key question label position options first_seen_at`),
  advertising_campaigns: words(`id platform_campaign_id name name_key created_at updated_at`),
  advertising_costs: words(`day advertising_campaign_id currency amount`),
};
