import { codeOf } from '../../../domain/dataset/codes.ts';
import type { RecordOf } from '../../../domain/dataset/sections.ts';
import { agentCategories } from '../../../domain/lookup/standard-lists.ts';
import { disableMissing } from '../disable-missing.ts';
import type { ImportContext, WriteSection } from '../import-context.ts';
import { upsert } from '../upsert.ts';
import type { Table } from '../upsert.ts';

/** Not `paused_at`: pausing is the operator's, by command. */
const table: Table = {
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
  const rows = records.map(({ value }) => agentRow(context, value));
  const counts = await upsert(context.sql, table, rows, context.onWritten);
  const present = rows.map(({ id }) => id);
  const disabled = await disableMissing(context, { table: table.name, column: 'active' }, present);
  return { ...counts, disabled };
};

function agentRow({ ids, languages }: ImportContext, agent: RecordOf<'agents'>) {
  return {
    id: ids.of('agents', agent.email),
    email: agent.email,
    name: agent.name,
    slug: agent.slug,
    phone: agent.phone,
    whatsapp_phone: agent.whatsappPhone,
    active: agent.active,
    languages: agent.languages.map((language) => codeOf(languages, language)),
    location_ids: agent.locations.map((location) => ids.of('locations', location)),
    category: agent.category === null ? null : codeOf(agentCategories, agent.category),
    time_zone: agent.timeZone,
    working_hours: agent.workingHours,
    daily_cap: agent.dailyCap,
    open_cap: agent.openCap,
  };
}
