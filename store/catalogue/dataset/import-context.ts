import type { createSectionChanges } from '../../../domain/catalogue/dataset/record-changes.ts';
import type { RecordIds } from '../../../domain/catalogue/dataset/record-ids.ts';
import type { Indexed, RecordOf, SectionName } from '../../../domain/catalogue/dataset/sections.ts';
import type { Entry, LookupList } from '../../../domain/catalogue/lookups/lookup-list.ts';
import type { Rule } from '../../../domain/routing/rules.ts';
import type { Sql } from '../../db/database.ts';
import type { ImportLosses } from './import-losses.ts';
import type { StagedListings } from './listings.ts';
import type { Counts } from './upsert.ts';

export interface ImportOptions {
  author: string;
  companyName: string;
  companyTimeZone: string;
  now: Date;
  newId: () => string;
  /** Reports what would change and changes nothing. */
  dryRun?: boolean;
  /** Whether what would be lost may be; without it any loss is refused. */
  accepts?: (losses: ImportLosses) => boolean;
  shownChanges?: number;
  disableMissing?: boolean;
  onProgress?: (section: SectionName, written: number, of: number) => void;
  /** Called once all is written, before the commit: from then on an import that is stopped may be done. */
  onCommit?: () => void;
  /** Called once where another import has to end first. */
  onBusy?: () => void;
}

export interface ImportContext extends ImportOptions {
  sql: Sql;
  ids: RecordIds;
  languages: LookupList<Entry>;
  /** The section `rules` with names resolved; null without it. */
  rules: Rule[] | null;
  listings: StagedListings;
  /** Changes of listings, which their writer compares; other sections are compared as a whole. */
  listingChanges: ReturnType<typeof createSectionChanges>;
  /** The e-mail of the agent that had each slug before the import. */
  agentSlugs: ReadonlyMap<string, string>;
  onWritten: (rows: number) => void;
}

export type WriteSection<Name extends SectionName> = (
  context: ImportContext,
  records: readonly Indexed<RecordOf<Name>>[],
  section: Name,
) => Promise<Counts>;
