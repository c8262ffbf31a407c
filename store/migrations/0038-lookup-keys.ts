import { Migration } from '@mikro-orm/migrations';
import { indexKey } from '../../domain/leads/ad-platform.ts';
import { lookupKey } from '../../domain/catalogue/lookups/lookup-list.ts';
import { plainText } from '../../domain/written-text.ts';

/** What earlier releases did not fold: entities, runs of spaces, and characters beyond ASCII. */
const UNFOLDED = `~ '[^ -~]|&|  '`;
const WITHOUT_KIND = (table: string, column: string, kind: string) => `
  update ${table} t set ${column} = substr(${column}, 3) where ${column} ~ '^${kind}:\\d+$'
    and not exists (select from ${table} where ${column} = substr(t.${column}, 3))`;

/** Brings stored reference numbers, names of campaigns and ids of ad platforms to the form in which enquiries are compared. */
export class LookupKeys extends Migration {
  override async up(): Promise<void> {
    const listings = `select id, reference_no as text from listings where reference_no ${UNFOLDED}`;
    for (const { id, text } of await this.execute(listings))
      await this.execute(`update listings set reference_no = ? where id = ?`, [
        plainText(text),
        id,
      ]);
    const campaigns = `select id, name from advertising_campaigns where name ${UNFOLDED} order by created_at`;
    for (const { id, name } of await this.execute(campaigns))
      await this.execute(RENAME_SQL, [indexKey(lookupKey(name)), id]);
    await this.execute(WITHOUT_KIND('advertising_campaigns', 'platform_campaign_id', 'c'));
    await this.execute(WITHOUT_KIND('ad_platform_blocks', 'ad_platform_lead_id', 'l'));
  }
}

/** The oldest campaign without a platform's id takes a key that several share. */
const RENAME_SQL = `
update advertising_campaigns c set name_key = key
from (values (?)) given (key) where id = ? and (platform_campaign_id is not null or not exists (
  select from advertising_campaigns where platform_campaign_id is null and name_key = key))`;
