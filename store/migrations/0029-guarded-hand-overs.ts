import { Migration } from '@mikro-orm/migrations';

/**
 * Hand-overs of many leads, which move only those that are still where they were, and hand-overs that take another
 * one back. A worker of the former release ignores the first condition and retries the second until it is replaced.
 */
export class GuardedHandOvers extends Migration {
  override up(): void {
    this.addSql(`
alter table hand_overs
  add column only_statuses text[],
  add column only_round int,
  add column only_move int,
  drop constraint hand_overs_target_check,
  add constraint hand_overs_target_check check (target in ('agent', 'pool', 'rules', 'nobody')) not valid;
alter table hand_overs validate constraint hand_overs_target_check;
`);
  }
}
