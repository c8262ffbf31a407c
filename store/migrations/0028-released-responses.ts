import { Migration } from '@mikro-orm/migrations';

/** Whether a release also takes leads with a recorded response. A worker of the former release leaves those where they are. */
export class ReleasedResponses extends Migration {
  override up(): void {
    this.addSql(
      'alter table hand_overs add column moves_responded boolean not null default false;',
    );
  }
}
