import type { Config } from '../platform/config.ts';
import type { Database } from '../store/db/database.ts';
import type { RulesetStore } from '../store/routing/rulesets.ts';
import type { Resolve } from './webhooks/resolve-name.ts';

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

export interface WebhookContext extends Pick<ActivityContext, 'database' | 'now' | 'newId'> {
  config: Pick<Config, 'webhooks' | 'secretsKey'>;
  /** Spreads the retries: 0 to 1, Math.random unless given. */
  random?: () => number;
  /** Addresses of endpoints: by the machine's name servers unless given. */
  resolve?: Resolve;
  /** How many activities the worker runs at once: CALL_SLOTS unless given. */
  callSlots?: number;
}
