import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importCommand } from '../../api/leadctl/commands/import.ts';
import { startIntake } from '../support/intake.ts';
import type { Intake } from '../support/intake.ts';
import { leadctlFor } from './leadctl.ts';
import type { Leadctl } from './leadctl.ts';

let api: Intake;
let leadctl: Leadctl;
let file: string;
beforeAll(async () => {
  api = await startIntake();
  leadctl = leadctlFor([importCommand], { DATABASE_URL: api.config.database.url });
  file = path.join(await mkdtemp(path.join(os.tmpdir(), 'import-')), 'dataset.json');
  await writeFile(file, JSON.stringify({ sources: [{ name: 'Radio' }] }));
});
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
