import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes of what is open only, so that looking for it costs the same after years: portal leads have no
 * merge window to close and stood in its index for ever; agent enquiries are few among a contact's leads.
 */
export class OpenWork extends Migration {
  override up(): void {
    this.addSql(`
create index leads_open_windows on leads (merge_window_ends_at)
  where merge_window_closed_at is null and not is_portal;
drop index leads_window;
create index leads_agent_enquiries on leads (contact_id) where is_agent_enquiry;
create index lead_outbox_lead on lead_outbox (lead_id);
`);
  }

  override down(): void {
    this.addSql(`
drop index lead_outbox_lead;
drop index leads_agent_enquiries;
create index leads_window on leads (merge_window_ends_at) where merge_window_closed_at is null;
drop index leads_open_windows;
`);
  }
}
