import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
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
    `const TEXT = 'select now()';`,
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
    `await sql.run(tables.selectFrom('agents').select('id'));`,
    'const isHeld = fragment<boolean>`id in (select owner_id from leads)`;',
    `const help = 'Select an agent from the list, or update the set with leadctl.';`,
    'await leadRun(client, leadId).query(metadata);',
  ])('is not seen in: %s', async (code) => {
    expect(await isRefused(code)).toBe(false);
  });

  test('is found in every file of its list', async () => {
    expect(await isRefused('export const now = 1;', 'store/clients/tokens.ts')).toBe(true);
    const { rules } = (await eslint.calculateConfigForFile('store/clients/tokens.ts')) as Config;
    expect(Object.keys(rules[RULE][1]).filter((file) => !existsSync(file))).toEqual([]);
  });
});
