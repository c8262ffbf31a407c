import * as z from 'zod';
import { agentCategories } from '../../domain/catalogue/lookups/standard-lists.ts';
import type { Period } from '../../domain/routing/calendar.ts';
import { isTimeZone } from '../../domain/routing/local-time.ts';
import {
  parseHours,
  simplifyHours,
  workingHoursIssues,
} from '../../domain/routing/working-hours.ts';
import { withoutInvisible } from '../../domain/written-text.ts';
import { lockChanging, type WrittenTable } from '../db/rows.ts';
import { statement } from '../db/statement.ts';
import {
  readAll,
  section,
  sum,
  toRow,
  uncounted,
  withParts,
  writeRows,
  type Counts,
} from './section.ts';
import {
  flag,
  listOf,
  name,
  names,
  optionalCap,
  optionalId,
  optionalName,
  optionalText,
  orDefault,
} from './values.ts';

const email = name
  .refine((value) => /^[^\s@]+@[^\s@]+$/.test(value), 'Expected an e-mail address')
  .transform((value) => withoutInvisible(value).trim().toLowerCase());

const times = z.union(
  [z.string(), z.array(z.string())],
  'Expected times such as "09:00-18:00" or a list of them',
);

const hoursByDay = z
  .record(
    z.string(),
    times,
    'Expected hours such as "mon-fri 09:00-18:00, sat 10:00-14:00" or { "mon-fri": "09:00-18:00" }',
  )
  .transform(simplifyHours)
  .superRefine((hours, context) => {
    for (const message of workingHoursIssues(hours)) context.addIssue({ code: 'custom', message });
  });

/** A string is as in `leadctl agent hours`. */
const workingHours = orDefault(
  z
    .preprocess((given) => (typeof given === 'string' ? parseHours(given) : given), hoursByDay)
    .meta({ type: ['object', 'string'] }),
  {},
);

const agentPhone = optionalName.refine(
  (text) => !/^\d+([.,]\d+)?E\+\d+$/.test(text ?? ''),
  'The spreadsheet shortened it: format the column as text',
);

const timeZone = name.refine(isTimeZone, 'Expected a time zone such as "Asia/Dubai"').nullish();

const agentSchema = z.strictObject({
  id: optionalId,
  email: email.describe('The agent’s address; stored in lower case.'),
  name: name.describe('Shown in responses and events.'),
  slug: optionalName.describe('The agent’s name in addresses. By default made from the name.'),
  phone: agentPhone.describe('Shown to readers of the assignment.'),
  whatsappPhone: agentPhone.describe('The same, for WhatsApp.'),
  active: flag(true).describe('An agent who is not active gets no lead.'),
  languages: names.describe('Codes or names, for rules that ask for the lead’s language.'),
  locations: names.describe('Places where the agent works, with the places within them.'),
  category: optionalName.describe('`A` to `D`, for rules on `agentCategory`.'),
  timeZone: timeZone.describe('By default that of the company.'),
  workingHours: workingHours.describe(
    'In the agent’s time zone: days to spans, or `"mon-fri 09:00-18:00"`. By default at all times.',
  ),
  dailyCap: optionalCap.describe('The most leads per day. By default no limit.'),
  openCap: optionalCap.describe('The most leads without a response. By default no limit.'),
});

const agentTable: WrittenTable = {
  name: 'agents',
  key: ['id'],
  insertOnly: ['email'],
  flag: 'active',
};

export const agents = section({
  name: 'agents',
  about: 'Agents, who get leads.',
  key: ['email'],
  schema: agentSchema,
  references: { locations: 'locations' },
  overlay: ({ slug: _, ...stored }, given) => ({ ...stored, ...given }),
  read: readAll('agents')`
    select id, email, name, slug, phone, whatsapp_phone as "whatsappPhone", active, languages,
      array(select l.key from unnest(location_ids) with ordinality i (id, at)
        join locations l using (id) order by i.at) as locations,
      category, time_zone as "timeZone", working_hours as "workingHours", daily_cap as "dailyCap",
      open_cap as "openCap"
    from agents order by email`,
  async write(context, records) {
    const { sql, ids, languages, companyTimeZone } = context;
    const slugs = assignAgentSlugs(records, context.agentSlugs);
    const rows = records.map(({ locations, ...agent }) => ({
      ...toRow(agent),
      id: ids.of('agents', agent.email),
      slug: slugs.get(agent.email),
      location_ids: ids.ofAll('locations', locations),
      time_zone: agent.timeZone ?? companyTimeZone,
      languages: agent.languages.map((language) => languages.resolve(language)?.id),
      category: agent.category && agentCategories.resolve(agent.category)?.id,
    }));
    // In the order in which decisions lock agents, so that an import and a decision cannot deadlock.
    await lockChanging(sql, agentTable, rows);
    await sql.all(FREE_SLUGS, {
      ids: rows.map(({ id }) => id),
      slugs: rows.map(({ slug }) => slug),
    });
    return writeRows(context, agentTable, rows);
  },
});

/** Agents may exchange their slugs, so those that change are given up before any is taken. */
const FREE_SLUGS = statement<Record<'ids' | 'slugs', unknown[]>>('free_slugs')`
update agents a set slug = a.id::text
from unnest(:ids::uuid[], :slugs::text[]) given (id, slug)
where a.id = given.id and a.slug <> given.slug`;

type SlugRequest = Pick<z.output<typeof agentSchema>, 'email' | 'name' | 'slug'>;

/** An agent keeps its slug or gets a new one: "Zoë H." is `zoe-h`, the next `zoe-h-2`. `known`: slugs to emails. */
export function assignAgentSlugs(
  agents: readonly SlugRequest[],
  known: ReadonlyMap<string, string>,
): Map<string, string> {
  const given = new Map(
    agents.flatMap(({ email, slug }) => (slug === null ? [] : [[email, slug]])),
  );
  const taken = new Set(given.values());
  const kept = new Map<string, string>();
  for (const [slug, email] of known) {
    if (given.has(email) || taken.has(slug)) continue;
    kept.set(email, slug);
    taken.add(slug);
  }
  const slugs = new Map<string, string>();
  for (const { email, name } of agents) {
    const slug = given.get(email) ?? kept.get(email) ?? findFreeSlug(slugify(name), taken);
    taken.add(slug);
    slugs.set(email, slug);
  }
  return slugs;
}

function findFreeSlug(wanted: string, taken: ReadonlySet<string>): string {
  let slug = wanted;
  for (let count = 2; taken.has(slug); count += 1) slug = `${wanted}-${count}`;
  return slug;
}

/** An accent does not end a word. */
function slugify(agentName: string): string {
  const words = agentName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words?.join('-') ?? agentName;
}

const memberSchema = z.strictObject({
  agent: name,
  weight: orDefault(z.int().min(1).max(10_000), 1).describe(
    'The agent’s share: 2 gets two leads where 1 gets one.',
  ),
});

const teamSchema = z.strictObject({
  id: optionalId,
  name: name.describe('The name in rules.'),
  members: listOf(memberSchema).describe('The whole list, in the order of their turns.'),
});

const teamTable: WrittenTable = { name: 'teams', key: ['id'] };
const memberTable: WrittenTable = { name: 'team_members', key: ['team_id', 'agent_id'] };

export const teams = section({
  name: 'teams',
  about: 'Agents who take turns.',
  key: ['name'],
  schema: teamSchema,
  references: { 'members.agent': 'agents' },
  read: readAll('teams')`
    select t.name, coalesce((
      select jsonb_agg(jsonb_build_object('agent', a.email, 'weight', m.weight) order by m.position)
      from team_members m join agents a on a.id = m.agent_id where m.team_id = t.id), '[]') as members
    from teams t order by t.name`,
  async write(context, records) {
    const { sql, ids, onWritten } = context;
    const counts: Counts[] = [];
    for (const { name, members } of records) {
      const id = ids.of('teams', name);
      const rows = members.map(({ agent, weight }, position) => {
        return { team_id: id, agent_id: ids.of('agents', agent), weight, position };
      });
      const own = await writeRows({ sql, onWritten }, teamTable, [{ id, name }]);
      const agentIds = rows.map((row) => row.agent_id);
      const removed = await sql.all(REMOVE_MEMBERS, { teamId: id, agentIds });
      const written = await writeRows(uncounted(context), memberTable, rows);
      counts.push(withParts(own, { ...written, disabled: removed.length }));
    }
    return sum(counts);
  },
});

const REMOVE_MEMBERS = statement<{ teamId: string; agentIds: string[] }, { agentId: string }>(
  'remove_members',
)`
delete from team_members where team_id = :teamId and agent_id <> all (:agentIds::uuid[])
returning agent_id as "agentId"`;

const dateOrTime = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true, precision: -1 }), z.iso.datetime({ offset: true })],
  'Expected a date such as "2026-12-20" or a time such as "2026-12-20T09:00+04:00"',
);
const period = {
  from: dateOrTime.describe('A date is the whole day; a time has its offset.'),
  to: dateOrTime.describe('A date includes the whole day.'),
};

/** Only the agent's zone says when a date begins, so it is compared with a time by the day. */
function isInOrder({ from, to }: Period): boolean {
  const areTimes = from.includes('T') && to.includes('T');
  return areTimes ? Date.parse(from) < Date.parse(to) : from.slice(0, 10) <= to.slice(0, 10);
}

const ORDER = { path: ['to'], message: 'is before "from"' };

export const absenceSchema = z
  .strictObject({
    agent: name,
    ...period,
    note: optionalText.describe('For operators.'),
  })
  .refine(isInOrder, ORDER);

const absenceTable: WrittenTable = {
  name: 'agent_absences',
  key: ['agent_id', 'starts', 'ends'],
};

export const absences = section({
  name: 'absences',
  about: 'Absences of agents. The section replaces all absences.',
  key: ['agent', 'from', 'to'],
  schema: absenceSchema,
  references: { agent: 'agents' },
  replaces: (sql) => sql.all(LOCK_ABSENCES, {}),
  read: readAll('absences')`
    select a.email as agent, t.starts as "from", t.ends as "to", t.note
    from agent_absences t join agents a on a.id = t.agent_id order by a.email, t.starts, t.ends`,
  write(context, records) {
    const rows = records.map(({ agent, from, to, note }) => {
      return { agent_id: context.ids.of('agents', agent), starts: from, ends: to, note };
    });
    return writeRows({ ...context, disableMissing: true }, absenceTable, rows);
  },
});

const LOCK_ABSENCES = statement('lock_absences')`
lock table agent_absences in share row exclusive mode`;

const date = z.iso.date('Expected a date such as "2026-12-20"');

export const datedHoursSchema = z
  .strictObject({
    agent: name,
    from: date.describe('The first day.'),
    to: date.describe('The last day.'),
    workingHours: workingHours.describe('Replace the agent’s usual hours.'),
  })
  .refine(isInOrder, ORDER);

const datedHoursTable: WrittenTable = {
  name: 'agent_dated_hours',
  key: ['agent_id', 'starts', 'ends'],
};

export const datedHours = section({
  name: 'datedHours',
  about: 'Hours that replace an agent’s usual ones on some days. The section replaces all of them.',
  key: ['agent', 'from', 'to'],
  schema: datedHoursSchema,
  references: { agent: 'agents' },
  replaces: (sql) => sql.all(LOCK_DATED_HOURS, {}),
  read: readAll('datedHours')`
    select a.email as agent, t.starts as "from", t.ends as "to", t.working_hours as "workingHours"
    from agent_dated_hours t join agents a on a.id = t.agent_id order by a.email, t.starts, t.ends`,
  write(context, records) {
    const rows = records.map(({ agent, from, to, workingHours }) => {
      const agentId = context.ids.of('agents', agent);
      return { agent_id: agentId, starts: from, ends: to, working_hours: workingHours };
    });
    return writeRows({ ...context, disableMissing: true }, datedHoursTable, rows);
  },
});

const LOCK_DATED_HOURS = statement('lock_dated_hours')`
lock table agent_dated_hours in share row exclusive mode`;

const holidayTable: WrittenTable = { name: 'holidays', key: ['name', 'starts', 'ends'] };

export const holidays = section({
  name: 'holidays',
  about: 'Times when nobody works. The section replaces all holidays.',
  key: ['name', 'from', 'to'],
  schema: z
    .strictObject({ name: name.describe('The name that operators see.'), ...period })
    .refine(isInOrder, ORDER),
  read: readAll('holidays')`
    select name, starts as "from", ends as "to" from holidays order by starts, name, ends`,
  write(context, records) {
    const rows = records.map(({ name, from, to }) => ({ name, starts: from, ends: to }));
    return writeRows({ ...context, disableMissing: true }, holidayTable, rows);
  },
});
