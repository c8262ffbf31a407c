import { Migration } from '@mikro-orm/migrations';

/** When the reconciler last signalled a lead's workflow, so that reminders do not outrun it. */
export class Reminders extends Migration {
  override up(): void {
    this.addSql(`alter table leads add column reminded_at timestamptz;`);
  }

  override down(): void {
    this.addSql(`alter table leads drop column reminded_at;`);
  }
}
