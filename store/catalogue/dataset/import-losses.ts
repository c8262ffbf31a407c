import {
  storedKey,
  type createSectionChanges,
} from '../../../domain/catalogue/dataset/record-changes.ts';
import type { RecordIds } from '../../../domain/catalogue/dataset/record-ids.ts';
import {
  sectionNames,
  type Dataset,
  type SectionName,
  type StoredRecord,
} from '../../../domain/catalogue/dataset/sections.ts';
import type { Rule } from '../../../domain/routing/rules.ts';
import { findRuleLosses } from '../../../domain/routing/ruleset-losses.ts';
import { readInactiveHolders } from '../../assignment/hand-overs.ts';
import type { Sql } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { SUB_SOURCES } from './section-tables.ts';
import type { SectionCounts } from './upsert.ts';

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

export async function countMembers(sql: Sql, rules: readonly Rule[]) {
  const teamIds = rules.flatMap(({ enabled, target }) =>
    enabled && target.kind === 'team' ? [target.teamId] : [],
  );
  const rows = await sql.all(COUNT_MEMBERS, { teamIds });
  return new Map(rows.map(({ name, members }) => [name, members]));
}

const COUNT_MEMBERS = statement<{ teamIds: string[] }, { name: string; members: number }>(
  'count_members',
)`
select t.name, count(m.agent_id) as members from teams t
left join team_members m on m.team_id = t.id
where t.id = any (:teamIds::uuid[]) group by t.id, t.name order by t.name`;

/** Reads the sub-sources that are switched off and that active rules name all the same: `Bayut/Call`, with those rules. */
export async function readDisabledSubSources(sql: Sql, rules: readonly Rule[]) {
  const naming = readNamedIds(rules);
  const ids = [...new Set(naming.flatMap((rule) => [...rule.ids]))];
  if (ids.length === 0) return [];
  const rows = await sql.all(READ_DISABLED_SUB_SOURCES, { ids });
  return rows.map(({ id, name }) => ({ name, rules: rulesNaming([id], naming) }));
}

const READ_DISABLED_SUB_SOURCES = statement<{ ids: string[] }, { id: string; name: string }>(
  'read_disabled_sub_sources',
)`
select sub.id, source.name || '/' || sub.name as name
from list_entries sub join list_entries source on source.id = sub.parent_id
where sub.id = any (:ids::uuid[]) and sub.list = '${SUB_SOURCES}' and not sub.enabled order by name`;

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function readNamedIds(rules: readonly Rule[]) {
  return rules
    .filter(({ enabled }) => enabled)
    .map((rule) => ({ name: rule.name, ids: new Set(JSON.stringify(rule).match(UUIDS)) }));
}

function rulesNaming(ids: readonly string[], rules: ReturnType<typeof readNamedIds>) {
  return rules.filter((rule) => ids.some((id) => rule.ids.has(id))).map(({ name }) => name);
}

interface Routing {
  rules: readonly Rule[];
  disabledSubSources: Awaited<ReturnType<typeof readDisabledSubSources>>;
  members: Awaited<ReturnType<typeof countMembers>>;
}

export type ComparedSections = { [Name in SectionName]?: ReturnType<typeof createSectionChanges> };

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
/** They are losses of their own. */
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

/** What `disableMissing` took away. Listings are only counted. */
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
    missing.push({
      section,
      total,
      names: all.slice(0, NAMED_RECORDS),
      rules: rulesNaming(recordIds, naming),
      ...(held && { held }),
    });
  }
  return missing;
}

/** The records that a section of the file leaves out; one that the file itself switches off is none. */
function findMissing(section: SectionName, dataset: Dataset, compared: ComparedSections) {
  const { switchedOff = [], removed = [] } = compared[section] ?? {};
  const given = new Set(
    dataset[section]?.map(({ value }) => storedKey(section, value as StoredRecord)),
  );
  const off = switchedOff.filter(({ key }) => !given.has(key));
  return [...off.map(({ record }) => record), ...removed];
}

async function countHeldLeads(sql: Sql, emails: ReadonlySet<string>) {
  const held = (await readInactiveHolders(sql)).filter(({ email }) => emails.has(email));
  const leads = held.reduce((sum, each) => sum + each.leads, 0);
  return leads > 0 ? { agents: held.length, leads } : null;
}

/** The losses that an operator accepts: the number of leads that agents hold changes at any time. */
export function withoutHeld({ missing, ...losses }: ImportLosses) {
  return { ...losses, missing: missing.map(({ held: _, ...each }) => each) };
}
