import { beforeAll, describe, expect, test } from '@jest/globals';
import { DeterminismViolationError } from '@temporalio/workflow';
import { misfits, replay } from './replaying.ts';
import { savedHistories, type SavedHistory } from './saved-histories.ts';

let saved: SavedHistory[];
beforeAll(async () => {
  saved = await savedHistories();
});

const ofLeads = () => saved.filter(({ history }) => typeOf(history) === 'LeadLifecycle');

function typeOf({ events }: SavedHistory['history']) {
  return events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name;
}

describe('the saved histories', () => {
  test('replay on the workflows as they are', async () => {
    const outcomes = await replay(new URL('../../workflows/index.ts', import.meta.url), saved);
    expect(misfits(outcomes)).toEqual([]);
    expect(outcomes).toHaveLength(saved.length);
  });
});

describe('the check can fail', () => {
  test('a wait planted before the first step is caught in every history of a lead', async () => {
    const planted = new URL('./planted/later-lead-lifecycle.ts', import.meta.url);
    const outcomes = await replay(planted, ofLeads());
    expect(outcomes).toHaveLength(ofLeads().length);
    for (const { error } of outcomes) expect(error?.name).toBe(DeterminismViolationError.name);
    expect(misfits(outcomes)).toContainEqual(
      expect.stringMatching(/^[\d.]+\/assigned: .*Timer machine does not handle this event/),
    );
  });

  test('the same change behind a patch is safe for runs in flight', async () => {
    const patched = new URL('./planted/patched-lead-lifecycle.ts', import.meta.url);
    const outcomes = await replay(patched, ofLeads());
    expect(misfits(outcomes)).toEqual([]);
  });
});
