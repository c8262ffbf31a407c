export const lists = `
create table reference_state (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
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
create index advertising_campaigns_by_any_name on advertising_campaigns (name_key);
create table advertising_costs (
  day date not null,
  advertising_campaign_id uuid not null references advertising_campaigns,
  currency text not null,
  amount numeric not null check (amount >= 0),
  primary key (day, advertising_campaign_id, currency)
);
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
