import { Migration } from '@mikro-orm/migrations';

/** Leads by any of their phones and e-mails, whose merge window is over too, and by the integrator's reference. */
export class FindLeads extends Migration {
  override up(): void {
    this.addSql(`
create index lead_contact_points_value on lead_contact_points (kind, value);
drop index lead_contact_points_mergeable;
create index leads_integration_ref on leads (integration_ref) where integration_ref is not null;
`);
  }
}
