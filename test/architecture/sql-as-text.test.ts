import { existsSync } from 'node:fs';
import { lintWith } from './untyped-lint.ts';

const RULE = 'lead/sql-as-text';
const eslint = lintWith(RULE);

interface Config {
  rules: { [RULE]: [string, Record<string, string>] };
}

async function isRefused(code: string, filePath = 'store/clients/manage-client.ts') {
  const [result] = await eslint.lintText(code, { filePath });
  return result?.messages.some(({ ruleId }) => ruleId === RULE) ?? false;
}

describe('SQL as text', () => {
  test.each([
    'await sql.query(text, values);',
    'await sql.queryOne<Row>(TEXT);',
    'await sql.queryAndCommit(TEXT, values);',
    'await database.db.query(text);',
    `await sql['query'](text);`,
    'const { query } = sql;',
    'const { queryOne: readOne } = database;',
    'export const read = ({ query }) => query(TEXT);',
    `const TEXT = 'select now()';`,
    'const TEXT = `SELECT id\n FROM ${table}`;',
    `const TEXT = 'UPDATE agents SET active = false';`,
    `const TEXT = 'TRUNCATE agents';`,
    `const TEXT = 'truncate agents cascade';`,
    `const TEXT = 'table agents';`,
    'const agents = fragment`table agents`;',
    'const TEXT = `select id from ${table}`;',
    'const TEXT = `\nwith open as (${OPEN_SQL}) table open`;',
    'const TAKEN = `taken as (\n  delete from lead_outbox returning id)`;',
    `const TEXT = 'insert into agents (id) values ($1)';`,
    'const TEXT = `update agents g set active = false`;',
    'const query = fragment`select id from agents`;',
  ])('is refused outside of its list: %s', async (code) => {
    expect(await isRefused(code)).toBe(true);
    expect(await isRefused(code, 'cli/status.ts')).toBe(true);
    expect(await isRefused(code, 'store/clients/tokens.ts')).toBe(false);
    expect(await isRefused(code, 'test/support/api.ts')).toBe(false);
  });

  test.each([
    `import { sql } from 'kysely';`,
    `import { sql as fragment, type Expression } from 'kysely';`,
    `import * as kysely from 'kysely';`,
    `import { jsonArrayFrom } from 'kysely/helpers/postgres';`,
  ])('has no tag of its own, in no file: %s', async (code) => {
    expect(await isRefused(code)).toBe(true);
    expect(await isRefused(`${code} const TEXT = 'select now()';`, 'store/clients/tokens.ts')).toBe(
      true,
    );
  });

  test.each([
    `await sql.run(tables.selectFrom('agents').select('id'));`,
    'const isHeld = fragment<boolean>`id in (select owner_id from leads)`;',
    `const help = 'Select an agent from the list, or update the set with leadctl.';`,
    'await leadRun(client, leadId).query(metadata);',
    'const route = { handle: ({ query: wanted, app }) => readEvents(app, wanted) };',
    `import type { Expression } from 'kysely';`,
    `import { type Expression } from 'kysely';`,
    `const help = 'A table of agents. Truncate nothing, merge into one.';`,
  ])('is not seen in: %s', async (code) => {
    expect(await isRefused(code)).toBe(false);
  });

  test('is found in every file of its list', async () => {
    expect(await isRefused('export const now = 1;', 'store/clients/tokens.ts')).toBe(true);
    const { rules } = (await eslint.calculateConfigForFile('store/clients/tokens.ts')) as Config;
    expect(Object.keys(rules[RULE][1]).filter((file) => !existsSync(file))).toEqual([]);
  });
});
