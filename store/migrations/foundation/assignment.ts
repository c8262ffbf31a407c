export const agents = `
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

export const assignment = `
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
