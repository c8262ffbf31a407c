/**
 * `f_unaccent` folds case, accents and the Arabic letters that people write one for another, and drops
 * vowel marks. `unaccent` itself is only stable, which an index does not take; its dictionary is named
 * here, so that this is immutable in fact. `f_like` makes `%`, `_` and the backslash plain characters.
 */
export const folding = `
create extension if not exists pg_trgm;
create extension if not exists unaccent;
create function f_unaccent(value text) returns text language sql immutable strict parallel safe as $$
  select translate(
    lower(public.unaccent('public.unaccent'::regdictionary, normalize(value, NFKC))),
    'أإآٱىةؤئ' || 'ـًٌٍَُِّْٰ',
    'ااااي' || 'هوي')
$$;
create function f_like(value text) returns text
  language sql immutable strict parallel safe
as $$ select regexp_replace(value, '([\\\\%_])', '\\\\\\1', 'g') $$;
`;

export const projects = `
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
  updated_at timestamptz not null default now(),
  search_name text generated always as (f_unaccent(name)) stored,
  search_name_ar text generated always as (f_unaccent(coalesce(name_ar, ''))) stored
);
create index locations_parent on locations (parent_id);
create index locations_ancestors on locations using gin (ancestor_ids);
create index locations_by_path on locations (path, id) include (name, level) where enabled;
create index locations_by_level on locations (lower(level), path, id) where enabled;
create index locations_enabled on locations (enabled) where enabled;
create index locations_search on locations using gin (search_name gin_trgm_ops, search_name_ar gin_trgm_ops);
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
  updated_at timestamptz not null default now(),
  search_name text generated always as (f_unaccent(name)) stored,
  search_text text generated always as
    (f_unaccent(name || ' ' || slug || ' ' || coalesce(description, ''))) stored
);
create index developers_by_name on developers (name, id) where enabled;
create index developers_search_name on developers using gin (search_name gin_trgm_ops);
create index developers_search_text on developers using gin (search_text gin_trgm_ops);
create table projects (
  id uuid primary key,
  slug text not null unique,
  title text,
  description text,
  developer_id uuid references developers,
  location_id uuid not null references locations,
  status_id uuid not null references list_entries,
  property_type_ids uuid[] not null default '{}',
  campaign_type text,
  ownership_type text,
  stock_availability text,
  starting_price numeric,
  delivery_date date,
  brochure boolean not null default false,
  payment_plans text[] not null default '{}',
  bedrooms text[] not null default '{}',
  amenities text[] not null default '{}',
  latitude double precision,
  longitude double precision,
  images jsonb not null default '[]',
  published boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search_name text generated always as (f_unaccent(coalesce(title, ''))) stored,
  search_text text generated always as
    (f_unaccent(coalesce(title, '') || ' ' || slug || ' ' || coalesce(description, ''))) stored
);
create index projects_published on projects (published) where published;
create index projects_by_title on projects (title, id) where published;
create index projects_developer on projects (developer_id) where published;
create index projects_location on projects (location_id) where published;
create index projects_place on projects (latitude, longitude) where published;
create index projects_search_name on projects using gin (search_name gin_trgm_ops);
create index projects_search_text on projects using gin (search_text gin_trgm_ops);
`;

export const listings = `
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
`;
