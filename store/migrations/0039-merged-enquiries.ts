import { Migration } from '@mikro-orm/migrations';

/** A new event, and ids of comments that are unique per client and channel. */
export class MergedEnquiries extends Migration {
  override up(): void {
    this.addSql(`
alter table webhook_events drop constraint webhook_events_type_check, add constraint webhook_events_type_check
  check (type in ('lead.created', 'lead.assigned', 'lead.pooled', 'lead.unassigned', 'lead.responded', 'lead.enquired',
    'endpoint.failing', 'endpoint.disabled')) not valid;
alter table comments add client_id uuid constraint comments_client_id_fkey references oauth_clients (id);
drop index comments_external;
create unique index comments_external on comments (lead_id, client_id, coalesce(channel, ''), external_id)
  where external_id is not null;
`);
  }
}
