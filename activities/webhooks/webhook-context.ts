import type { Config } from '../../platform/config.ts';
import type { ActivityContext } from '../context.ts';
import type { Resolve } from './resolve-name.ts';

/** What the activities that call endpoints work with. */
export interface WebhookContext extends Pick<ActivityContext, 'database' | 'now' | 'newId'> {
  config: Pick<Config, 'webhooks' | 'secretsKey'>;
  /** Spreads the retries: 0 to 1, Math.random unless given. */
  random?: () => number;
  /** Addresses of endpoints: by the machine's name servers unless given. */
  resolve?: Resolve;
  /** How many activities the worker runs at once: CALL_SLOTS unless given. */
  callSlots?: number;
}
