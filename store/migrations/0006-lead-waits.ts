import { Migration } from '@mikro-orm/migrations';

/** Pending leads that wait until an agent of a rule can take them, with what was decided from. */
export class LeadWaits extends Migration {
  override up(): void {
    this.addSql(`
create table lead_waits (
  lead_id uuid not null references leads,
  round int not null,
  rule_name text not null,
  ruleset_version int not null references routing_rulesets,
  since timestamptz not null,
  decided_at timestamptz not null,
  due_at timestamptz not null,
  ends_at timestamptz not null,
  reason text not null,
  facts jsonb not null,
  facts_hash text not null,
  roster jsonb not null,
  roster_hash text not null,
  explanation jsonb not null,
  hand_over_id uuid references hand_overs,
  primary key (lead_id, round, rule_name)
);
create index lead_waits_decided on lead_waits (decided_at);
`);
  }
}
