export const dncr = `
create table dncr_answers (
  phone text primary key,
  status text not null check (status in ('registered', 'not_registered', 'not_found')),
  dncr_status text,
  registry_status text,
  checked_at timestamptz not null,
  transaction_id text not null
);
create index dncr_answers_age on dncr_answers (checked_at);
create table dncr_checks (
  id uuid primary key,
  client_id uuid not null references oauth_clients,
  requested_at timestamptz not null,
  finished_at timestamptz,
  outcome text not null check (outcome in ('open', 'answered', 'failed')),
  fresh boolean not null,
  number_hashes bytea[] not null,
  invalid int not null,
  from_cache int not null,
  from_registry int not null default 0,
  registered int not null default 0,
  not_registered int not null default 0,
  not_found int not null default 0,
  unavailable int not null default 0,
  transaction_id text
);
create index dncr_checks_time on dncr_checks (requested_at);
create table dncr_check_numbers (
  check_id uuid not null references dncr_checks on delete cascade,
  phone text not null,
  status text check (status in ('registered', 'not_registered', 'not_found', 'unavailable')),
  dncr_status text,
  registry_status text,
  checked_at timestamptz,
  transaction_id text,
  from_cache boolean not null default false,
  primary key (check_id, phone)
);
create table dncr_leases (
  phone text primary key,
  check_id uuid not null,
  lease_until timestamptz not null
) with (fillfactor = 50);
create index dncr_leases_check on dncr_leases (check_id);
`;
