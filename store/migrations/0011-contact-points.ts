import { Migration } from '@mikro-orm/migrations';

const renamings = [
  ['table', 'lead_handles', 'lead_contact_points'],
  ['index', 'lead_handles_pkey', 'lead_contact_points_pkey'],
  ['index', 'lead_handles_mergeable', 'lead_contact_points_mergeable'],
  ['index', 'lead_handles_one_open_lead', 'lead_contact_points_one_open_lead'],
  ['table', 'contact_handles', 'contact_points'],
  ['index', 'contact_handles_pkey', 'contact_points_pkey'],
  ['index', 'contact_handles_contact', 'contact_points_contact'],
  ['table', 'dncr_claims', 'dncr_leases'],
  ['index', 'dncr_claims_pkey', 'dncr_leases_pkey'],
  ['index', 'dncr_claims_check', 'dncr_leases_check'],
] as const;
const constraints = [
  ['lead_contact_points', 'lead_handles', 'kind_check'],
  ['lead_contact_points', 'lead_handles', 'lead_id_fkey'],
  ['contact_points', 'contact_handles', 'kind_check'],
  ['contact_points', 'contact_handles', 'contact_id_fkey'],
] as const;

/** Phones and e-mails are contact points, and the hold of a check on a number is a lease: so are their tables. */
export class ContactPoints extends Migration {
  override up(): void {
    for (const [kind, from, to] of renamings) this.addSql(`alter ${kind} ${from} rename to ${to};`);
    for (const [table, before, rest] of constraints)
      this.addSql(`alter table ${table} rename constraint ${before}_${rest} to ${table}_${rest};`);
  }

  override down(): void {
    for (const [table, before, rest] of constraints)
      this.addSql(`alter table ${table} rename constraint ${table}_${rest} to ${before}_${rest};`);
    for (const [kind, from, to] of renamings.toReversed())
      this.addSql(`alter ${kind} ${to} rename to ${from};`);
  }
}
