import { revokeTokens } from '../../store/clients/manage-client.ts';
import { confirm } from '../confirm.ts';
import type { Operator } from '../operator.ts';
import { count } from '../text.ts';
import { existingClient } from './existing-client.ts';

/** The client gets new tokens with its secret, which stays as it is. */
export async function revokeClientTokens(
  operator: Operator,
  clientId: string,
  { yes }: { yes: boolean },
): Promise<void> {
  const { name, liveTokens } = await existingClient(operator, clientId);
  await confirm(operator, `${count(liveTokens, 'live token')} of ${name} will fail at once.`, {
    yes,
  });
  const database = await operator.database();
  const revokedTokens = await revokeTokens(database, clientId, operator.now());
  operator.show(
    { clientId, revokedTokens },
    () => `${count(revokedTokens, 'token')} of ${name} revoked.`,
  );
}
