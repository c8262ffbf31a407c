import { createReplayProcess } from '../../../dev/replay/replay-histories.ts';
import { asOfType, readEvents, toJson } from '../../replay/edit-history.ts';
import { outcomesOf } from '../../replay/outcomes.ts';

const planted = new URL('./planted/changed-workflows.ts', import.meta.url);
const LIMIT_MS = 10_000;

describe('a process of the replay', () => {
  test('is replaced when code loops for ever', async () => {
    const outcomes = await outcomesOf(
      {
        endless: asOfType('dncr-check-answered', 'Loops'),
        next: asOfType('dncr-check-answered', 'CompletesEarly'),
      },
      { workflows: planted, limitMs: LIMIT_MS },
    );
    expect(outcomes.get('endless')).toMatchObject({
      type: 'Loops',
      failure: {
        text: expect.stringMatching(/^the replay did not end within 10 s: does the code loop/),
      },
    });
    expect(outcomes.get('next')?.failure?.text).toMatch(/the code completes the workflow$/);
  });

  test('that ends is named with its error, each time', async () => {
    const replayer = createReplayProcess('/no/such/bundle.js', LIMIT_MS);
    const json = toJson(readEvents('assigned'));
    for (const name of ['first', 'second'])
      expect(await replayer.replay({ name, json })).toMatchObject({
        name,
        type: 'LeadLifecycle',
        failure: {
          text: expect.stringMatching(/^the process of the replay ended \(1\): .*ENOENT/),
        },
      });
    await replayer.end();
  });
});
