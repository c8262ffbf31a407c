import type { Logger } from 'pino';
import type { Config } from '../platform/config.ts';
import type { Database } from '../store/db/database.ts';
import type { RulesetStore } from '../store/routing/rulesets.ts';

/** What the activities work with; made once per process by worker.ts. */
export interface ActivityContext {
  config: Config;
  database: Database;
  rulesets: RulesetStore;
  log: Logger;
  now: () => Date;
  newId: () => string;
}
