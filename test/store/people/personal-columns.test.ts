import { blockColumns } from '../../../domain/leads/ad-platform.ts';
import { fields } from '../../../domain/leads/fields.ts';
import { noteKinds } from '../../../domain/leads/timeline-notes.ts';
import { personalData } from '../../../store/people/personal-columns.ts';
import { openDatabase } from '../catalogue/open.ts';
import { otherColumns } from './other-columns.ts';

const open = await openDatabase('adminUrl');
const { database } = open;
afterAll(() => open.close());

/** The columns of all tables, which test/store/tables holds to the entities. */
async function columnsByTable(): Promise<Record<string, string[]>> {
  const rows = await database.query<{ name: string; columns: string[] }>(
    `select table_name as name, array_agg(column_name::text order by column_name) as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'mikro_orm_migrations'
     group by 1`,
  );
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
}

const decided = () => {
  const tables = Object.keys({ ...personalData, ...otherColumns });
  const columnsOf = (table: string) =>
    [...(personalData[table]?.personal ?? []), ...(otherColumns[table] ?? [])].toSorted();
  return Object.fromEntries(tables.map((table) => [table, columnsOf(table)]));
};

describe('the decision which columns are personal', () => {
  test('is made once for every column of every table', async () => {
    expect(decided()).toEqual(await columnsByTable());
  });

  test('is missing for a new column and a new table', async () => {
    await database.query('alter table leads add column passport text');
    await database.query('create table visits (id int)');
    const { leads, visits } = await columnsByTable();
    expect(leads).toEqual([...(decided().leads ?? []), 'passport'].toSorted());
    expect(visits).toEqual(['id']);
    expect(decided()).not.toHaveProperty('visits');
  });

  test('of a lead takes every text that is kept as sent, but for the handle of the automation', () => {
    const asSent = fields.filter(
      ({ name, type, match }) =>
        ['text', 'texts'].includes(type) &&
        ['exact', 'contactPoint', 'distributionType'].includes(String(match)) &&
        name !== 'integrationRef',
    );
    const texts = asSent.flatMap(({ column }) => column ?? []);
    const expected = [...texts, ...blockColumns, 'intake_unresolved'];
    expect(personalData.leads?.personal.toSorted()).toEqual(expected.toSorted());
  });

  test('names personal columns for each of its tables', () => {
    for (const { rows, owner, personal } of Object.values(personalData)) {
      expect(personal).not.toEqual([]);
      expect(rows === 'rewritten').toBe(owner === null);
    }
  });
});

test('the database refuses a note of another kind, which might hold what somebody wrote', async () => {
  const leadId = await insertLead();
  const insertNote = (kind: string) =>
    database.query(
      `insert into timeline_notes (id, lead_id, at, kind, text) values (gen_random_uuid(), $1, now(), $2, '')`,
      [leadId, kind],
    );
  for (const kind of noteKinds) await insertNote(kind);
  await expect(insertNote('operator_note')).rejects.toThrow(/timeline_notes_kind_check/);
});

async function insertLead(): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    `with client as (insert into oauth_clients (id, client_id, name, secret_hash, created_at)
         values (gen_random_uuid(), gen_random_uuid(), 'Shop', '', now()) returning id),
       contact as (insert into contacts (id, created_at) values (gen_random_uuid(), now()) returning id)
       insert into leads (id, contact_id, client_id, created_at, updated_at, funnel_id, merge_window_ends_at,
         assignment_status)
       select gen_random_uuid(), contact.id, client.id, now(), now(), (select id from funnels limit 1), now(),
         'unassigned' from client, contact returning id`,
  );
  return row?.id ?? '';
}
