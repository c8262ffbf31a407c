import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../store/db/database.ts';

export interface WebhookContext {
  database: Database;
  config: Pick<Config, 'webhooks' | 'secretsKey'>;
  log: Logger;
  now: () => Date;
  /** Spreads the retries: 0 to 1, Math.random unless given. */
  random?: () => number;
  /** How many activities the worker runs at once: CALL_SLOTS unless given. */
  callSlots?: number;
}
