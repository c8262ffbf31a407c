import { Migration } from '@mikro-orm/migrations';

/**
 * Rosters that are stored once, and what was removed from the feed. Of decisions that are there already nothing is
 * rewritten. `leadctl rules check` of the former release reports those of this one as different.
 */
export class KeptRows extends Migration {
  override up(): void {
    this.addSql(`
create table rosters (
  hash text primary key,
  roster jsonb not null,
  used_on date not null
);
alter table routing_decisions alter roster drop not null, add column roster_base text, add column roster_numbers jsonb;
alter table lead_waits alter roster drop not null, alter explanation drop not null,
  add column roster_base text, add column roster_numbers jsonb;
create function whole_roster(numbers jsonb, base jsonb) returns jsonb language sql immutable parallel safe as $$
  select base || jsonb_build_object(
    'agents', (
      select coalesce(jsonb_agg(agent || jsonb_build_object('assignedToday', numbers #> array['agents', at, '0'],
        'openLeads', numbers #> array['agents', at, '1'], 'lastAssignedAt', numbers #> array['agents', at, '2'])
        order by n), '[]')
      from jsonb_array_elements(base -> 'agents') with ordinality agents (agent, n), lateral (select (n - 1)::text as at) place),
    'teams', (
      select coalesce(jsonb_agg(team || jsonb_build_object('members', (
        select coalesce(jsonb_agg(member || jsonb_build_object(
          'credit', numbers #> array['teams', (n - 1)::text, (m - 1)::text]) order by m), '[]')
        from jsonb_array_elements(team -> 'members') with ordinality members (member, m))) order by n), '[]')
      from jsonb_array_elements(base -> 'teams') with ordinality teams (team, n)))
$$;
create table event_feed_horizons (
  client_id uuid not null,
  type text not null,
  position bigint not null,
  at timestamptz not null,
  primary key (client_id, type)
);
`);
  }
}
