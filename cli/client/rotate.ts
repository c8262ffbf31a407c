import { replaceSecret, revokeTokens } from '../../store/clients/manage-client.ts';
import { confirm } from '../confirm.ts';
import type { Operator } from '../operator.ts';
import { count } from '../text.ts';
import { existingClient } from './existing-client.ts';
import { credentialsText, newSecret } from './secret.ts';

export interface RotateOptions {
  keepTokens: boolean;
  yes: boolean;
}

/** A new secret; the old one fails at once, and so do the client's tokens unless they are kept. */
export async function rotateClient(
  operator: Operator,
  clientId: string,
  { keepTokens, yes }: RotateOptions,
): Promise<void> {
  const { name, liveTokens } = await existingClient(operator, clientId);
  const tokens = keepTokens ? '' : ` and its ${count(liveTokens, 'live token')}`;
  await confirm(operator, `The secret of ${name}${tokens} will fail at once.`, { yes });
  const { clientSecret, secretHash } = newSecret(operator);
  const now = operator.now();
  const database = await operator.database();
  await database.transaction(async (sql) => {
    await replaceSecret(sql, { clientId, secretHash, now });
    const revokedTokens = keepTokens ? 0 : await revokeTokens(sql, clientId, now);
    await operator.showSecret({ clientId, clientSecret, revokedTokens }, (made) =>
      credentialsText(made, `${count(made.revokedTokens, 'token')} revoked. `),
    );
  });
}
