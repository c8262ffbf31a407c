import { Migration } from '@mikro-orm/migrations';

/**
 * As of which import or change of the rules a waiting lead was decided: those that wait already are decided again. The
 * rotation counts leads, no longer the weights of a turn: `credit` stays for the workers of the former release.
 */
export class FairShares extends Migration {
  override up(): void {
    this.addSql(`
alter table waiting_leads add column reference_version bigint not null default 0;
create index waiting_leads_reference on waiting_leads (reference_version);
alter table team_members add column owed_leads double precision;
update team_members m set owed_leads = credit::float8 / (
  select sum(weight) from team_members t where t.team_id = m.team_id);
`);
  }
}
