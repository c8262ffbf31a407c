import { readFileSync } from 'node:fs';
import { formatOutcomes } from '../../dev/replay.ts';
import { outcomesOf } from './outcomes.ts';
import { savedHistories } from './saved-histories.ts';

const histories = await savedHistories();
const saved = Object.fromEntries(histories.map(({ scenario, json }) => [scenario, json]));
const isOfLead = (json: string) => /"workflowType": *\{\s*"name": *"LeadLifecycle"/.test(json);
const ofLeads = Object.fromEntries(Object.entries(saved).filter(([, json]) => isOfLead(json)));

const leads = Object.keys(ofLeads).length;

const outcomes = await outcomesOf(saved);
const failed = [...outcomes.values()].filter(({ difference }) => difference);
/** Skipped where the saved histories do not replay: its failure would follow from that. */
const testOnceTheyReplay = failed.length === 0 ? test : test.skip;

describe('the saved histories', () => {
  test('replay on the workflows as they are', () => {
    if (failed.length > 0) throw new Error(formatOutcomes(failed));
    expect([...outcomes.keys()].sort()).toEqual(Object.keys(saved).sort());
  });
});

describe('the check can fail', () => {
  testOnceTheyReplay(
    'a wait planted before the first step is caught in every history of a lead',
    async () => {
      const workflows = new URL('./planted/later-lead-lifecycle.ts', import.meta.url);
      const planted = await outcomesOf(ofLeads, workflows);
      expect(planted.size).toBe(leads);
      for (const { difference } of planted.values())
        expect(difference).toMatchObject({ eventId: expect.any(Number), code: 'Timer' });
    },
  );

  test('docs/replay.md shows as many histories as there are', () => {
    const page = readFileSync(new URL('../../docs/replay.md', import.meta.url), 'utf8');
    const runs = [...page.matchAll(/^(\w+) +(passed|failed) +(\d+) /gm)];
    const sumOf = (result: string) =>
      runs.reduce((sum, [, , of, count]) => sum + (of === result ? Number(count) : 0), 0);
    expect(page).toContain(`fails for all ${leads} histories`);
    expect(sumOf('failed')).toBe(leads);
    expect(sumOf('passed')).toBe(histories.length - leads);
  });

  testOnceTheyReplay('the same change behind a patch is safe for runs in flight', async () => {
    const workflows = new URL('./planted/patched-lead-lifecycle.ts', import.meta.url);
    const patched = await outcomesOf(ofLeads, workflows);
    expect([...patched.values()].filter(({ difference }) => difference)).toEqual([]);
  });
});
