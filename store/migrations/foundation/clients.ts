export const clients = `
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
