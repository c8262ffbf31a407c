import { Migration } from '@mikro-orm/migrations';

/** The names that are the most similar to a term, in that order. */
export class NearestNames extends Migration {
  override up(): void {
    this.addSql(`
create index locations_nearest on locations using gist ((search_name || '') gist_trgm_ops(siglen = 256));
create index locations_nearest_ar on locations using gist ((search_name_ar || '') gist_trgm_ops(siglen = 256));
create index developers_nearest on developers using gist ((search_name || '') gist_trgm_ops(siglen = 256));
create index projects_nearest on projects using gist ((search_name || '') gist_trgm_ops(siglen = 256));
`);
  }
}
