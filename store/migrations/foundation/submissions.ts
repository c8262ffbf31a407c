export const submissions = `
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
`;
