import type { Config } from '../platform/config.ts';
import type { Database } from '../store/db/database.ts';
import type { RulesetStore } from '../store/routing/rulesets.ts';

/** What the activities work with; created once per process by the worker. */
export interface ActivityContext {
  config: Config;
  database: Database;
  rulesets: RulesetStore;
  /** Names of those that the namespace lacks and this worker may not add. */
  missingSearchAttributes: () => readonly string[];
  now: () => Date;
  newId: () => string;
}
