import { assignAgentSlugs } from '../../../../domain/catalogue/dataset/agent-slugs.ts';
import { findCode } from '../../../../domain/catalogue/dataset/references.ts';
import type { RecordOf } from '../../../../domain/catalogue/dataset/sections.ts';
import { agentCategories } from '../../../../domain/catalogue/lookups/standard-lists.ts';
import type { Sql } from '../../../db/database.ts';
import { disableMissing } from '../disable-missing.ts';
import type { ImportContext, WriteSection } from '../import-context.ts';
import { upsert } from '../upsert.ts';
import type { UpsertTable } from '../upsert.ts';

/** Not `paused_at`: pausing is the operator's, by command. */
const table: UpsertTable = {
  name: 'agents',
  columns: [
    'id',
    'email',
    'name',
    'slug',
    'phone',
    'whatsapp_phone',
    'active',
    'languages',
    'location_ids',
    'category',
    'time_zone',
    'working_hours',
    'daily_cap',
    'open_cap',
  ],
  insertOnly: ['email'],
};

export const writeAgents: WriteSection<'agents'> = async (context, records) => {
  const agents = records.map(({ value }) => value);
  const slugs = assignAgentSlugs(agents, context.agentSlugs);
  const rows = agents.map((agent) => ({
    ...agentRow(context, agent),
    slug: slugs.get(agent.email) as string,
  }));
  await lockChanging(context.sql, rows);
  await freeSlugs(context.sql, rows);
  const counts = await upsert(context.sql, table, rows, context.onWritten);
  const present = rows.map(({ id }) => id);
  const disabled = await disableMissing(context, { table: table.name, column: 'active' }, present);
  return { ...counts, disabled };
};

/** In the order in which decisions lock agents, so that neither can hold what the other waits for. */
async function lockChanging(sql: Sql, rows: readonly object[]): Promise<void> {
  const of = (prefix: string) => table.columns.map((column) => `${prefix}.${column}`).join(', ');
  await sql.query(
    `select a.id from agents a join jsonb_populate_recordset(null::agents, $1::jsonb) g using (id)
     where row(${of('a')}) is distinct from row(${of('g')}) order by a.id for no key update of a`,
    [JSON.stringify(rows)],
  );
}

/** Agents may exchange their slugs, so those that change are given up before any is taken. */
async function freeSlugs(sql: Sql, rows: readonly { id: string; slug: string }[]): Promise<void> {
  await sql.query(
    `update agents a set slug = a.id::text
     from unnest($1::uuid[], $2::text[]) as given (id, slug)
     where a.id = given.id and a.slug <> given.slug`,
    [rows.map(({ id }) => id), rows.map(({ slug }) => slug)],
  );
}

function agentRow({ ids, languages }: ImportContext, agent: RecordOf<'agents'>) {
  return {
    id: ids.of('agents', agent.email),
    email: agent.email,
    name: agent.name,
    phone: agent.phone,
    whatsapp_phone: agent.whatsappPhone,
    active: agent.active,
    languages: agent.languages.map((language) => findCode(languages, language)),
    location_ids: agent.locations.map((location) => ids.of('locations', location)),
    category: agent.category === null ? null : findCode(agentCategories, agent.category),
    time_zone: agent.timeZone,
    working_hours: agent.workingHours,
    daily_cap: agent.dailyCap,
    open_cap: agent.openCap,
  };
}
