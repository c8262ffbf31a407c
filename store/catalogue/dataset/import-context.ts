import type { RecordIds } from '../../../domain/catalogue/dataset/record-ids.ts';
import type { Indexed, RecordOf, SectionName } from '../../../domain/catalogue/dataset/sections.ts';
import type { Entry, LookupList } from '../../../domain/catalogue/lookups/lookup-list.ts';
import type { Rule } from '../../../domain/routing/rule-schema.ts';
import type { Sql } from '../../db/database.ts';
import type { StagedListings } from './staged-listings.ts';
import type { Counts } from './upsert.ts';

/** What the writers of the sections work with. */
export interface ImportContext {
  sql: Sql;
  ids: RecordIds;
  languages: LookupList<Entry>;
  /** The section `rules` with names resolved; null without it. */
  rules: Rule[] | null;
  listings: StagedListings;
  /** The e-mail of the agent that had each slug before the import. */
  agentSlugs: ReadonlyMap<string, string>;
  newId: () => string;
  now: Date;
  author: string;
  /** Whether records of a section that are not in the file are disabled. */
  disableMissing: boolean;
  onWritten: (rows: number) => void;
}

export type WriteSection<Name extends SectionName> = (
  context: ImportContext,
  records: readonly Indexed<RecordOf<Name>>[],
) => Promise<Counts>;
