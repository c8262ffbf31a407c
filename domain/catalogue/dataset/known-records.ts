import type { LanguageNames } from '../lookups/standard-lists.ts';
import type { AliasedEntry } from '../lookups/list-rules.ts';
import type { SectionName } from './sections.ts';

/** What a name can lead to: the sections, and the sub-sources as `source/sub-source`. */
export type RecordKind = SectionName | 'subSources';

/** The records that the database holds already, as far as a dataset may name them or clash with them. */
export interface KnownRecords {
  /** Natural key, in lower case, to id. */
  ids: ReadonlyMap<RecordKind, ReadonlyMap<string, string>>;
  /** Key of a location to the key of its parent. */
  parents: ReadonlyMap<string, string | null>;
  languages: readonly LanguageNames[];
  leadTypes: readonly AliasedEntry[];
  /** With the company's own name filled in. */
  funnels: readonly { id: string; key: string; name: string }[];
  /** Slug to e-mail. */
  agentSlugs: ReadonlyMap<string, string>;
}

export const noRecords: KnownRecords = {
  ids: new Map(),
  parents: new Map(),
  languages: [],
  leadTypes: [],
  funnels: [],
  agentSlugs: new Map(),
};
