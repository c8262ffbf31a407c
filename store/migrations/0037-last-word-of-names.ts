import { Migration } from '@mikro-orm/migrations';

/** Finds a lead by its surname alone where a word such as `Al` stands before it (store/leads/find-leads.ts). */
export class LastWordOfNames extends Migration {
  override up(): void {
    this.addSql(`
create index leads_last_word on leads (lower(substring(lead_last_name from '[^ -]+$')) text_pattern_ops)
  where lead_last_name ~ '[ -]';
`);
  }
}
