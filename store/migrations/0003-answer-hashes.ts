import { Migration } from '@mikro-orm/migrations';

/**
 * The keyed hash of a number beside its answer, so that a check from the cache computes none. An answer of
 * before has none until it is asked for again; its checks are recorded one by one.
 */
export class AnswerHashes extends Migration {
  override up(): void {
    this.addSql(`
alter table dncr_answers add column number_hash bytea;
alter table dncr_check_numbers add column number_hash bytea;
`);
  }
}
