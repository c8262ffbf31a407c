import { Migration } from '@mikro-orm/migrations';

/** A campaign that a platform made known is found by its name too. */
export class CampaignNames extends Migration {
  override up(): void {
    this.addSql(
      `create index advertising_campaigns_by_any_name on advertising_campaigns (name_key);`,
    );
  }

  override down(): void {
    this.addSql(`drop index advertising_campaigns_by_any_name;`);
  }
}
