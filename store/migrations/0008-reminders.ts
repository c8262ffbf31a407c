import { Migration } from '@mikro-orm/migrations';

/** When the reconciler last told a lead's workflow to look, so that it is not told faster than it can. */
export class Reminders extends Migration {
  override up(): void {
    this.addSql(`alter table leads add column reminded_at timestamptz;`);
  }

  override down(): void {
    this.addSql(`alter table leads drop column reminded_at;`);
  }
}
