export const webhooks = `
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
  created_at timestamptz not null,
  last_failure_at timestamptz
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
  attempts int not null default 0,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  failure_reason text,
  generation int not null default 0,
  primary key (event_id, endpoint_id)
);
create index webhook_deliveries_lead on webhook_deliveries (lead_id);
create index webhook_deliveries_pending on webhook_deliveries (created_at) where status = 'pending';
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, created_at desc);
create index webhook_deliveries_failed on webhook_deliveries (finished_at) where status = 'failed';
create index webhook_deliveries_open_endpoint on webhook_deliveries (endpoint_id) where status = 'pending';
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
