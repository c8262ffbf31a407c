import { Migration } from '@mikro-orm/migrations';

/**
 * Proofs of erasures, and since when a lead has no person. Rows of the other tables are removed by erasures
 * alone, so rarely that Postgres would leave their old versions for years: it vacuums them at the first one.
 */
export class Erasures extends Migration {
  override up(): void {
    this.addSql(`
create table erasures (
  id uuid primary key,
  reason text not null check (reason in ('person', 'retention')),
  author text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  contact_point_hashes bytea[] not null default '{}',
  leads int not null default 0
);
alter table leads add column erased_at timestamptz;
${QUIET_TABLES.map((name) => `alter table ${name} set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 0);`).join('\n')}
`);
  }
}

const QUIET_TABLES = [
  'contacts',
  'contact_points',
  'submissions',
  'comments',
  'quiz_answers',
  'ad_platform_blocks',
  'webhook_attempts',
];
