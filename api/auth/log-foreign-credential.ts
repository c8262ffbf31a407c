import { environmentOf } from '../../domain/clients/credentials.ts';
import type { AppContext } from '../context.ts';

/** The caller hears only that a credential is not valid; the operator, that it is another environment's. */
export function logForeignCredential(app: AppContext, credential: string, requestId: string): void {
  const from = environmentOf(credential);
  const here = app.config.environment;
  if (from === null || from === here) return;
  app.log.warn({ requestId, from, here }, 'a credential of another environment');
}
