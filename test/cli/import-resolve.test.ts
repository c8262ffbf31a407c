import { importCommand } from '../../cli/import.ts';
import { startIntake } from '../support/api.ts';
import { datasetFile, leadctlFor } from './leadctl.ts';

const api = await startIntake();
const leadctl = leadctlFor([importCommand], { DATABASE_URL: api.config.database.url });
const file = await datasetFile({ sources: [{ name: 'Radio' }] });
afterAll(() => api.stop());

test('import --resolve fills the leads whose earlier values match by now; without it they wait', async () => {
  const lead = await api.create({ source: 'radio' });
  await leadctl('import', file);
  expect(await api.lead(lead.id)).toMatchObject({ intake_unresolved: { source: 'radio' } });
  const answer = await leadctl('import', file, '--resolve', '--json');
  expect(answer.json.resolved).toEqual({ looked: 1, resolved: 1, rerouted: 1 });
  expect(await api.lead(lead.id)).toMatchObject({
    source_id: expect.any(String),
    intake_unresolved: null,
  });
  const again = await leadctl('import', file, '--resolve');
  expect(again.text).toContain('0 of 0 leads with open values were resolved');
});

const HINT = 'match by now: import again with --resolve to fill them in.';

test('an import says how many leads it could resolve and how, and says nothing where there are none', async () => {
  const lists = await datasetFile({
    eventTypes: [{ name: 'Jingle' }],
    sources: [{ name: 'Website', subSources: ['Landing Page', 'Chat', 'Kiosk'] }],
    listings: [
      { referenceNo: 'LATE-1', purpose: 'sale', market: 'primary', price: '1', currency: 'AED' },
    ],
  });
  await api.create({ eventType: 'jingle', areaOfInterest: 'Nowhere' });
  await api.create({ source: 'Website', subSource: ['Kiosk'] });
  await api.create({ referenceNo: ' late-1 ' });
  await api.create({ areaOfInterest: 'Nowhere', referenceNo: 'NEVER', funnel: 'Moon' });
  expect((await leadctl('import', file)).text).not.toContain(HINT);
  expect((await leadctl('import', lists)).text).toContain(`Earlier values of 3 leads ${HINT}`);
  expect((await leadctl('import', lists, '--json')).json).toMatchObject({ resolvable: 3 });
  const answer = await leadctl('import', lists, '--resolve', '--json');
  expect(answer.json.resolved).toMatchObject({ resolved: 3 });
  expect((await leadctl('import', lists, '--json')).json).not.toHaveProperty('resolvable');
});

test('a source that resolves later leaves none of the former source’s sub-sources', async () => {
  const lead = await api.create({ source: 'Website', subSource: ['Landing Page'] });
  await api.update(lead.id, { source: 'Tower' });
  const tower = await datasetFile({ sources: [{ name: 'Tower' }] });
  await leadctl('import', tower, '--resolve');
  const row = await api.lead(lead.id);
  expect(row).toMatchObject({ sub_source_ids: [], intake_unresolved: null });
  expect(row.source_id).not.toBe(lead.source.id);
});

test('an import counts the leads that it could resolve to a hundred', async () => {
  const fair = await datasetFile({ sources: [{ name: 'Fair' }] });
  await Promise.all(Array.from({ length: 101 }, () => api.create({ source: 'Fair' })));
  expect((await leadctl('import', fair, '--json')).json).toMatchObject({ resolvable: 100 });
  const { text } = await leadctl('import', fair);
  expect(text).toContain(`Earlier values of at least 100 leads ${HINT}`);
});
