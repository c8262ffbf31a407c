import { blockColumns } from '../../../domain/leads/ad-platform.ts';
import { fields } from '../../../domain/leads/fields.ts';
import { noteKinds } from '../../../domain/leads/timeline-notes.ts';
import {
  erasingStatement,
  decideNotes,
  personalData,
} from '../../../store/people/personal-columns.ts';
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

  test('leaves personal columns in no table whose rows are kept as they are', () => {
    for (const { rows, owner, personal } of Object.values(personalData)) {
      expect(rows === 'kept').toBe(personal.length === 0);
      expect(rows === 'kept' || rows === 'rewritten').toBe(owner === null);
    }
  });
});

describe('the decision what becomes of a note', () => {
  const notes = (leadId: string) =>
    database.query(`select kind, text, data from timeline_notes where lead_id = $1 order by kind`, [
      leadId,
    ]);
  const insertNote = (leadId: string, kind: string) =>
    database.query(
      `insert into timeline_notes (id, lead_id, at, kind, text, data)
       values (gen_random_uuid(), $1, now(), $2, 'Layla', '{"phone": "050"}')`,
      [leadId, kind],
    );

  test('is made for every kind that the database takes', async () => {
    const leadId = await insertLead();
    for (const kind of noteKinds) await insertNote(leadId, kind);
    await expect(insertNote(leadId, 'operator_note')).rejects.toThrow(/timeline_notes_kind_check/);
  });

  test('empties the notes of the kinds that say so, of the lead alone', async () => {
    const [leadId, other] = [await insertLead(), await insertLead()];
    for (const id of [leadId, other])
      for (const kind of ['created', 'merged', 'updated']) await insertNote(id, kind);
    const before = await notes(other);
    const decision = decideNotes({ created: 'kept', merged: 'emptied', updated: 'emptied' });
    await database.query(erasingStatement('timeline_notes', decision), { leadIds: [leadId] });
    expect(await notes(leadId)).toEqual([
      { kind: 'created', text: 'Layla', data: { phone: '050' } },
      { kind: 'merged', text: '', data: {} },
      { kind: 'updated', text: '', data: {} },
    ]);
    expect(await notes(other)).toEqual(before);
    expect(decision.personal).toEqual(['text', 'data']);
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
});
