import type { ListName } from '../../leads/fields.ts';
import type { QuizField } from '../../quiz/field-mapping.ts';
import type { Entry, LookupList } from './lookup-list.ts';

export type SourceEntry = Entry & { portal: boolean };
export type SubSourceEntry = Entry & { sourceId: string };

export interface LocationEntry extends Entry {
  path: string;
  ancestorIds: readonly string[];
}

export interface FunnelEntry extends Entry {
  key: string;
  firstStage: Entry | null;
}

export interface AgentEntry extends Entry {
  slug: string;
  email: string;
  phone: string | null;
  whatsappPhone: string | null;
  active: boolean;
}

export interface EntryOf extends Record<ListName, Entry> {
  source: SourceEntry;
  subSource: SubSourceEntry;
  location: LocationEntry;
  funnel: FunnelEntry;
  agent: AgentEntry;
}

export interface Reference {
  version: number;
  lists: { readonly [Name in ListName]: LookupList<EntryOf[Name]> };
  mainFunnel: FunnelEntry;
  quizFields: readonly QuizField[];
  competitorDomains: ReadonlySet<string>;
}
