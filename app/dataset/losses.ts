import type { Rule } from '../../domain/routing/rules.ts';
import { findRuleLosses } from '../../domain/routing/ruleset-losses.ts';
import { readInactiveHolders } from '../../store/assignment/hand-overs.ts';
import type { Sql } from '../../store/db/database.ts';
import { countMembers, readDisabledSubSources } from '../../store/dataset/import-state.ts';
import { sectionNames, type RecordIds, type SectionName } from '../../store/dataset/record-ids.ts';
import { readActiveRuleset } from '../../store/dataset/rules.ts';
import type { Counts } from '../../store/dataset/section.ts';
import { naturalKey, type Dataset } from '../../store/dataset/sections.ts';
import type { ComparedSection } from './changes.ts';

export type ImportLosses = ReturnType<typeof findLosses>;

export interface MissingRecords {
  section: SectionName;
  total: number;
  /** The first of them. */
  names: readonly string[];
  rules: readonly string[];
  /** How many of the agents hold leads without a response, and how many leads. */
  held?: { agents: number; leads: number };
}

/** What an import could take away from the active rules. */
export async function readRouting(sql: Sql, dataset: Dataset) {
  const active = await readActiveRuleset(sql);
  const rules = active?.rules ?? [];
  const teamIds = rules.flatMap(({ enabled, target }) =>
    enabled && target.kind === 'team' ? [target.teamId] : [],
  );
  return {
    version: active?.version ?? null,
    rules,
    members: await countMembers(sql, teamIds),
    disabledSubSources:
      dataset.sources || dataset.rules ? await findDisabledSubSources(sql, rules) : [],
  };
}

/** Finds the disabled sub-sources that active rules still refer to, with those rules. */
export async function findDisabledSubSources(sql: Sql, rules: readonly Rule[]) {
  const naming = readNamedIds(rules);
  const ids = [...new Set(naming.flatMap((rule) => [...rule.ids]))];
  const disabled = ids.length > 0 ? await readDisabledSubSources(sql, ids) : [];
  return disabled.map(({ id, name }) => ({ name, rules: rulesNaming([id], naming) }));
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function readNamedIds(rules: readonly Rule[]) {
  return rules
    .filter(({ enabled }) => enabled)
    .map((rule) => ({ name: rule.name, ids: new Set(JSON.stringify(rule).match(UUIDS)) }));
}

function rulesNaming(ids: readonly string[], rules: ReturnType<typeof readNamedIds>) {
  return rules.filter((rule) => ids.some((id) => rule.ids.has(id))).map(({ name }) => name);
}

type Routing = Awaited<ReturnType<typeof readRouting>>;
export type ComparedSections = { [Name in SectionName]?: ComparedSection };
export type SectionCounts = { [Name in SectionName]?: Counts };

export function findLosses(
  before: Routing,
  after: Routing,
  compared: ComparedSections,
  missing: MissingRecords[],
) {
  return {
    rules: findRuleLosses(before.rules, after.rules),
    emptiedTeams: [...after.members]
      .filter(([team, members]) => members === 0 && (before.members.get(team) ?? 0) > 0)
      .map(([team]) => team),
    subSources: after.disabledSubSources.filter(
      ({ name }) => !before.disabledSubSources.some((each) => each.name === name),
    ),
    absences: compared.absences?.removed ?? [],
    datedHours: compared.datedHours?.removed ?? [],
    holidays: compared.holidays?.removed ?? [],
    /** What `disableMissing` switches off, or deletes where a record has no flag. */
    missing,
  };
}

export function hasLosses(losses: ImportLosses): boolean {
  return Object.values(losses).some((lost: readonly unknown[]) => lost.length > 0);
}

const NAMED_RECORDS = 20;
/** Their losses have lists of their own. */
const OWN_LOSSES: ReadonlySet<SectionName> = new Set([
  'absences',
  'datedHours',
  'holidays',
  'rules',
]);

interface ImportedSections {
  dataset: Dataset;
  counts: SectionCounts;
  compared: ComparedSections;
  ids: RecordIds;
}

/** The records that `disableMissing` disabled or deleted. Listings are only counted. */
export async function readMissing(
  sql: Sql,
  { dataset, counts, compared, ids }: ImportedSections,
  rules: readonly Rule[],
): Promise<MissingRecords[]> {
  const naming = readNamedIds(rules);
  const missing: MissingRecords[] = [];
  for (const section of sectionNames) {
    const all = findMissing(section, dataset, compared);
    const total = section === 'listings' ? (counts.listings?.disabled ?? 0) : all.length;
    if (total === 0 || OWN_LOSSES.has(section)) continue;
    const recordIds = all.flatMap((name) => ids.find(section, name) ?? []);
    const held = section === 'agents' ? await countHeldLeads(sql, new Set(all)) : null;
    const named = { names: all.slice(0, NAMED_RECORDS), rules: rulesNaming(recordIds, naming) };
    missing.push({ section, total, ...named, ...(held && { held }) });
  }
  return missing;
}

/** Without the records that the file itself disables. */
function findMissing(section: SectionName, dataset: Dataset, compared: ComparedSections) {
  if (section === 'listings') return [];
  const { disabled = [], removed = [] } = compared[section] ?? {};
  const given = new Set(dataset[section]?.map(({ value }) => naturalKey(section, value)));
  const omitted = disabled.filter(({ key }) => !given.has(key));
  return [...omitted.map(({ record }) => record), ...removed];
}

async function countHeldLeads(sql: Sql, emails: ReadonlySet<string>) {
  const held = (await readInactiveHolders(sql)).filter(({ email }) => emails.has(email));
  const leads = held.reduce((sum, each) => sum + each.leads, 0);
  return leads > 0 ? { agents: held.length, leads } : null;
}

/** Without the number of leads that agents hold, which changes at any time. */
export function withoutHeld({ missing, ...losses }: ImportLosses) {
  return { ...losses, missing: missing.map(({ held: _, ...each }) => each) };
}
