import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Defaults } from '../domain/routing/types.ts';
import type { Database } from '../store/database.ts';
import type { RulesetStore } from '../store/routing/rulesets.ts';

const MINUTE_MS = 60_000;

/** What configuration supplies where a rule is silent. */
export function routingDefaults({ followUpMs }: Config): Defaults {
  return { followUpMinutes: followUpMs / MINUTE_MS };
}

/** What the activities work with; made once per process by worker.ts. */
export interface ActivityContext {
  config: Config;
  database: Database;
  rulesets: RulesetStore;
  log: Logger;
  now: () => Date;
  newId: () => string;
}
