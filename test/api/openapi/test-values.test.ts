import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createDncrRegistry } from '../../../activities/dncr/registry.ts';
import { INTERFACE_REVISION } from '../../../api/openapi/document.ts';
import { startRegistry } from '../../../dev/registry.ts';
import { readNumber } from '../../../domain/dncr/number.ts';
import { importCommand } from '../../../cli/import.ts';
import { leadctlFor } from '../../cli/leadctl.ts';
import { dncrSettings } from '../dncr/service.ts';
import { startTestApi } from '../../support/api.ts';
import { leadActivities } from '../../support/worker.ts';

const fileOf = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
/** The values to test with of docs/integration.md, on the demo data and the simulated registry. */
const api = await startTestApi();
const guide = await readFile(fileOf('docs/integration.md'), 'utf8');
const leadctl = leadctlFor([importCommand], { DATABASE_URL: api.config.database.url });
await leadctl('import', fileOf('dev/demo/demo.json'));
afterAll(() => api.stop());

const create = async (body: string): Promise<string> => (await api.create(JSON.parse(body))).id;

test('the enquiries become what the guide says', async () => {
  const rows = [...guide.matchAll(/^\| `(\{.*\})` \| `(\w+)` \|$/gm)];
  expect(rows.map(([, , status]) => status)).toEqual(['assigned', 'pool', 'unassigned']);
  const { routeLead } = leadActivities(api);
  for (const [, body = '', status] of rows) {
    const leadId = await create(body);
    await routeLead({ leadId });
    const { body: read } = await api.call('GET', `/public/leads/${leadId}/assignment`);
    expect([body, read.status]).toEqual([body, status]);
  }
});

test('the enquiry of a portal makes two leads', async () => {
  const [, body = ''] = /^\| `(\{.*\})`, a portal's, twice/m.exec(guide) ?? [];
  expect(await create(body)).not.toBe(await create(body));
});

test('the numbers get the status that the guide says', async () => {
  const rows = [...guide.matchAll(/^\| `(\+?\d+)` \| `(\w+)` \|$/gm)].map(
    ([, number = '', status]) => [number, status],
  );
  const registry = await startRegistry();
  const localForm = (text: string) => {
    const reading = readNumber(text);
    return reading.kind === 'mobile' ? reading.number.phone : null;
  };
  const mobiles = rows.flatMap(([number = '']) => localForm(number) ?? []);
  const { answers } = await createDncrRegistry(dncrSettings(registry, {}), () => new Date()).ask(
    mobiles,
  );
  const statusOf = (number: string) => answers.get(localForm(number) ?? '')?.status ?? 'invalid';
  expect(rows).toEqual(rows.map(([number = '']) => [number, statusOf(number)]));
  expect(new Set(rows.map(([, status]) => status)).size).toBe(5);
  await registry.stop();
});

test('the guide has the revision of the document', () => {
  expect(guide).toContain(`The revision is ${INTERFACE_REVISION};`);
});
