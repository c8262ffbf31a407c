import { Migration } from '@mikro-orm/migrations';

/** To find leads by the customer's name, by the last digits of a phone, and by a reference in any case. */
export class FindByName extends Migration {
  override up(): void {
    this.addSql(`
create index leads_first_name on leads (lower(lead_first_name) text_pattern_ops) where lead_first_name is not null;
create index leads_last_name on leads (lower(lead_last_name) text_pattern_ops) where lead_last_name is not null;
create index lead_contact_points_digits on lead_contact_points (reverse(value) text_pattern_ops) where kind = 'phone';
drop index leads_integration_ref;
create index leads_integration_ref on leads (lower(integration_ref)) where integration_ref is not null;
`);
  }
}
