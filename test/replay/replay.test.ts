import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Outcome } from '../../dev/replay/outcome.ts';
import { outcomesOf } from './outcomes.ts';
import { savedHistories } from './saved-histories.ts';

let saved: Record<string, string>;
beforeAll(async () => {
  const histories = await savedHistories();
  saved = Object.fromEntries(histories.map(({ scenario, json }) => [scenario, json]));
});

const isOfLead = (json: string) => /"workflowType": *\{\s*"name": *"LeadLifecycle"/.test(json);
const ofLeads = () =>
  Object.fromEntries(Object.entries(saved).filter(([, json]) => isOfLead(json)));

/** Where code and history differ. */
const failuresIn = (outcomes: ReadonlyMap<string, Outcome>) =>
  [...outcomes].flatMap(([scenario, { failure }]) => (failure ? [{ scenario, ...failure }] : []));

describe('the saved histories', () => {
  test('replay on the workflows as they are', async () => {
    const outcomes = await outcomesOf(saved);
    expect(failuresIn(outcomes)).toEqual([]);
    expect([...outcomes.keys()].sort()).toEqual(Object.keys(saved).sort());
  });
});

describe('the check can fail', () => {
  test('a wait planted before the first step is caught in every history of a lead', async () => {
    const workflows = new URL('./planted/later-lead-lifecycle.ts', import.meta.url);
    const failures = failuresIn(await outcomesOf(ofLeads(), { workflows }));
    expect(failures).toHaveLength(Object.keys(ofLeads()).length);
    for (const { text, at } of failures) {
      expect(text).toMatch(/^event \d: .* in the history, the code starts timer of 1 s/);
      expect(at).toEqual([
        expect.stringMatching(
          /^test\/replay\/planted\/later-lead-lifecycle.ts:\d+ \(LeadLifecycle\)$/,
        ),
      ]);
    }
  });

  test('the same change behind a patch is safe for runs in flight', async () => {
    const workflows = new URL('./planted/patched-lead-lifecycle.ts', import.meta.url);
    expect(failuresIn(await outcomesOf(ofLeads(), { workflows }))).toEqual([]);
  });
});
