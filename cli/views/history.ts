import type { SavedRun } from '../history/save-run.ts';
import { tableOf } from '../table.ts';
import { count, figure } from '../text.ts';

type Outcome = SavedRun['outcome'];

/** How many runs of a workflow type ended in a state, by what became of them. */
export type SavedRuns = { type: string; state: string } & Record<Outcome, number>;

const NONE = { saved: 0, there: 0, refused: 0, gone: 0 };

export function createSavedRunsTally() {
  const byGroup = new Map<string, SavedRuns>();
  let total = 0;
  return {
    /** Returns how many there are by now. */
    add({ type, state, outcome }: SavedRun): number {
      const group = `${type} ${state}`;
      const runs = byGroup.get(group) ?? { type, state, ...NONE };
      runs[outcome] += 1;
      byGroup.set(group, runs);
      return (total += 1);
    },
    rows: () => [...byGroup.keys()].sort().flatMap((group) => byGroup.get(group) ?? []),
  };
}

const rowsText = tableOf<SavedRuns>(
  {
    'workflow type': 'type',
    state: 'state',
    saved: ({ saved }) => figure(saved),
    'there already': ({ there }) => figure(there),
    refused: ({ refused }) => figure(refused),
    gone: ({ gone }) => figure(gone),
  },
  { none: 'No run matches the query.' },
);

export function savedRunsText({ folder, runs }: { folder: string; runs: readonly SavedRuns[] }) {
  const saved = runs.reduce((sum, each) => sum + each.saved, 0);
  return [rowsText(runs), `${count(saved, 'run')} saved in ${folder}.`].join('\n');
}
