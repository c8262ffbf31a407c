import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { createOperator } from '../../cli/operator.ts';
import { tableText } from '../../cli/table.ts';
import { clockTime, timeText, withOneLineTexts, writeFor } from '../../cli/text.ts';
import { reasonText, wantedText } from '../../cli/views/explanation.ts';
import { sharedSettings } from '../../dev/stack/settings.ts';
import { OPERATORS } from '../domain/routing/generate.ts';
import { newFolder } from '../support/folder.ts';

const STORED_KEY = '11'.repeat(32);
const OWN_KEY = '22'.repeat(32);
const stack = { databaseUrl: 'postgres://of-the-stack', temporalAddress: 'of-the-stack:7233' };

let folder: string;

beforeEach(async () => {
  folder = newFolder();
  await writeFile(path.join(folder, 'stack.json'), JSON.stringify(stack));
});

async function configWith(variables: Record<string, string>) {
  const given = { DATA_DIR: folder, ...variables };
  const operator = await createOperator(given, { isJson: false, write: async () => undefined });
  return operator.config;
}

describe('the stack that runs in DATA_DIR', () => {
  test('is used with its stored key, also when variables are set but empty', async () => {
    await writeFile(path.join(folder, 'secrets.key'), `${STORED_KEY}\n`);
    const config = await configWith({ DATABASE_URL: '', TEMPORAL_ADDRESS: '', SECRETS_KEY: '' });
    expect(config.database.url).toBe(stack.databaseUrl);
    expect(config.temporal.address).toBe(stack.temporalAddress);
    expect(config.secretsKey.toString('hex')).toBe(STORED_KEY);
  });

  test('is used with SECRETS_KEY when it has no stored key', async () => {
    const config = await configWith({ SECRETS_KEY: OWN_KEY });
    expect(config.database.url).toBe(stack.databaseUrl);
    expect(config.secretsKey.toString('hex')).toBe(OWN_KEY);
  });

  test('is used without the settings of another Temporal, unless it has none of its own', async () => {
    const others = {
      TEMPORAL_PROFILE: 'production',
      TEMPORAL_API_KEY: 'a-key',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/no/ca.crt',
      TEMPORAL_NAMESPACE: 'leads',
    };
    const given = { SECRETS_KEY: OWN_KEY, ...others };
    const uiUrl = (temporalUiUrl: string | null) =>
      writeFile(path.join(folder, 'stack.json'), JSON.stringify({ ...stack, temporalUiUrl }));
    await uiUrl('http://127.0.0.1:8233');
    const { temporal } = await configWith(given);
    expect(temporal).toMatchObject({
      namespace: 'leads',
      connectionOptions: { address: stack.temporalAddress },
    });
    expect(temporal.connectionOptions.apiKey).toBeUndefined();
    await uiUrl(null);
    await expect(configWith(given)).rejects.toThrow(/Temporal: Profile 'production' not found/);
  });

  test('is used with the settings that it was started with, unless the shell has others', async () => {
    const settings = sharedSettings({
      COMPANY_TIME_ZONE: 'Europe/London',
      COMPANY_NAME: 'Acme Homes',
      TEMPORAL_NAMESPACE: 'agency',
    });
    await writeFile(path.join(folder, 'stack.json'), JSON.stringify({ ...stack, settings }));
    const given = { SECRETS_KEY: OWN_KEY, COMPANY_NAME: 'Other Homes' };
    const { companyTimeZone, companyName, temporal } = await configWith(given);
    expect([companyTimeZone, companyName]).toEqual(['Europe/London', 'Other Homes']);
    expect(temporal.namespace).toBe('agency');
  });

  test('is not used without any key', async () => {
    await expect(configWith({})).rejects.toThrow('no running stack was found');
  });
});

test.each([undefined, 0])('a table takes 80 columns without a terminal (%s)', async (columns) => {
  let shown = '';
  const operator = await createOperator(
    { DATABASE_URL: 'postgres://localhost/none', SECRETS_KEY: '11'.repeat(32) },
    { isJson: false, columns, write: async (text) => void (shown += text) },
  );
  operator.show([['short', null, 'word '.repeat(30)]], (rows) =>
    tableText(['lead', 'owner', 'why'], rows),
  );
  const [head, row] = shown.split('\n');
  expect(head).toBe('LEAD   OWNER  WHY');
  expect(row).toMatch(/^short  -      word .*…$/);
  expect(row).toHaveLength(80);
});

describe('in a terminal', () => {
  const AT = new Date('2026-03-02T08:00:00Z');
  const head = ['lead', 'since', 'address', 'why'];
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom('أهلاً وسهلاً بكم', '漢字'.repeat(20), 'a b '.repeat(40), 'word'.repeat(30)),
  );
  const lines = (width: number, rows: unknown[][]) =>
    writeFor({ timeZone: 'Asia/Dubai', width }, () => tableText(head, rows).split('\n'));

  test('no table is wider than the window', () => {
    const rows = fc.array(fc.tuple(text, fc.constant(AT), text, text), { minLength: 1 });
    fc.assert(
      fc.property(fc.integer({ min: 24, max: 130 }), rows, (width, cells) => {
        const oneLined = cells.map((row) => row.map((cell) => withOneLineTexts(cell)));
        const widths = lines(width, oneLined).map((line) => stringWidth(line));
        expect(Math.max(...widths)).toBeLessThanOrEqual(width);
      }),
    );
  });

  test('a table has a line for each row, and its widest columns are cut', () => {
    const rows = [['a5f0147b', AT, `https://${'x'.repeat(60)}`, 'no answer']];
    expect(lines(200, rows)[0]).toMatch(/^LEAD {6}SINCE \(Asia\/Dubai\) {3}ADDRESS +WHY$/);
    expect(lines(80, rows)[1]).toBe(
      `a5f0147b  2026-03-02 12:00:00  https://${'x'.repeat(29)}…  no answer`,
    );
  });

  test('a cell may be as long as a text of a lead', () => {
    expect(lines(80, [['a5f0147b', AT, 'x', 'word '.repeat(20_000)]])).toHaveLength(2);
  });

  test('times are of the reader’s zone, with its name, over a change of the clock', () => {
    expect(timeText(AT, 'Asia/Dubai')).toBe('2026-03-02 12:00:00 Asia/Dubai');
    expect(
      writeFor({ timeZone: 'Europe/London', width: 80 }, () => timeText('2026-07-01T23:30:00Z')),
    ).toBe('2026-07-02 00:30:00 Europe/London');
    expect(clockTime(AT, 'UTC')).toBe('2026-03-02 08:00:00');
    expect(timeText(null)).toBe('');
  });
});

test('a stored reason is read in local time and in words', () => {
  const stored = "Rule 'A' found nobody (1 paused, 2 taken by operator)";
  expect(reasonText(stored)).toBe(
    "Rule 'A' found nobody (1 paused, 2 left out: an operator took the lead from them)",
  );
});

test('an explanation has words of its own for each operator of conditions', () => {
  const said = OPERATORS.map(({ op }) => wantedText(op, ['Website'], {}));
  expect(new Set(said).size).toBe(OPERATORS.length);
});
