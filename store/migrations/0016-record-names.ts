import { Migration } from '@mikro-orm/migrations';

/**
 * Which of two fields set a lead's listing and its developer. Of leads that were taken before it is known only
 * where one of the two is still flagged: then the other one set the record.
 */
export class RecordNames extends Migration {
  override up(): void {
    this.addSql(`
alter table leads add column listing_set_by text, add column developer_set_by text;
update leads set
  listing_set_by = ${twinOfFlag('listing_id', 'listingId', 'referenceNo')},
  developer_set_by = ${twinOfFlag('developer_id', 'developerId', 'developerName')}
where intake_unresolved is not null;
`);
  }
}

const twinOfFlag = (column: string, first: string, second: string) => `case
    when ${column} is null then null
    when intake_unresolved -> '${second}' is not null then '${first}'
    when intake_unresolved -> '${first}' is not null then '${second}' end`;
