import { Baseline } from './0035-baseline.ts';
import { OutboxTurns } from './0036-outbox-turns.ts';
import { LastWordOfNames } from './0037-last-word-of-names.ts';
import { LookupKeys } from './0038-lookup-keys.ts';
import { MergedEnquiries } from './0039-merged-enquiries.ts';
import { WholeRosters } from './0040-whole-rosters.ts';

/** In the order in which they run; a name, once released, is never changed. */
export const migrations = [
  { name: '0035-baseline', class: Baseline },
  { name: '0036-outbox-turns', class: OutboxTurns },
  { name: '0037-last-word-of-names', class: LastWordOfNames },
  { name: '0038-lookup-keys', class: LookupKeys },
  { name: '0039-merged-enquiries', class: MergedEnquiries },
  { name: '0040-whole-rosters', class: WholeRosters },
];
