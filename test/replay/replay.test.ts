import { readFileSync } from 'node:fs';
import type { Outcome } from '../../dev/replay/failure.ts';
import { createReport } from '../../dev/replay/report.ts';
import { outcomesOf } from './outcomes.ts';
import { savedHistories } from './saved-histories.ts';

const histories = await savedHistories();
const saved = Object.fromEntries(histories.map(({ scenario, json }) => [scenario, json]));
const isOfLead = (json: string) => /"workflowType": *\{\s*"name": *"LeadLifecycle"/.test(json);
const ofLeads = Object.fromEntries(Object.entries(saved).filter(([, json]) => isOfLead(json)));

/** Where code and history differ: a group for each cause, with all of its histories. */
function reportOf(outcomes: ReadonlyMap<string, Outcome>) {
  const report = createReport({ namedRuns: Infinity });
  for (const outcome of outcomes.values()) report.add(outcome);
  return report;
}

const outcomes = await outcomesOf(saved);
const report = reportOf(outcomes);
/** Skipped where the saved histories do not replay: its failure would follow from that. */
const testOnceTheyReplay = report.total.failed === 0 ? test : test.skip;

describe('the saved histories', () => {
  test('replay on the workflows as they are', () => {
    if (report.total.failed > 0) throw new Error(report.format());
    expect([...outcomes.keys()].sort()).toEqual(Object.keys(saved).sort());
  });
});

describe('the check can fail', () => {
  testOnceTheyReplay(
    'a wait planted before the first step is caught in every history of a lead, as one cause',
    async () => {
      const workflows = new URL('./planted/later-lead-lifecycle.ts', import.meta.url);
      const failed = await outcomesOf(ofLeads, { workflows });
      for (const { failure } of failed.values()) {
        expect(failure?.text).toMatch(/^event \d: .* in the history, the code starts timer of 1 s/);
        expect(failure?.at).toEqual([
          expect.stringMatching(
            /^test\/replay\/planted\/later-lead-lifecycle.ts:\d+ \(LeadLifecycle\)$/,
          ),
        ]);
      }
      const text = reportOf(failed).format();
      expect(text.match(/✗/g)).toHaveLength(1);
      for (const scenario of Object.keys(ofLeads)) expect(text).toContain(scenario);
    },
  );

  test('docs/replay.md shows as many histories as there are', () => {
    const page = readFileSync(new URL('../../docs/replay.md', import.meta.url), 'utf8');
    const [all, leads] = [histories.length, Object.keys(ofLeads).length];
    expect(page).toContain(`names all ${leads} histories once`);
    expect(page).toContain(`\n  ${leads - 1} more in the same way:\n`);
    const cellsOf = (type: string) =>
      new RegExp(`│ ${type} +│ +(\\d+) │ +(\\d+) │ +(\\d+) │`).exec(page)?.slice(1).map(Number);
    expect(cellsOf('LeadLifecycle')).toEqual([leads, 0, leads]);
    expect(cellsOf('all')).toEqual([all, all - leads, leads]);
  });

  testOnceTheyReplay('the same change behind a patch is safe for runs in flight', async () => {
    const workflows = new URL('./planted/patched-lead-lifecycle.ts', import.meta.url);
    expect(reportOf(await outcomesOf(ofLeads, { workflows })).total).toMatchObject({ failed: 0 });
  });
});
