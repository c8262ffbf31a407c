import { rotateSecret } from '../../../store/webhooks/endpoints.ts';
import type { Operator } from '../operator.ts';
import { assertFound, endpointIdFrom } from './endpoint-id.ts';
import { newSecret } from './secret.ts';

const BOTH_SECRETS_MS = 24 * 3_600_000;

export async function rotate(
  operator: Operator,
  text: string,
  { atOnce }: { atOnce: boolean },
): Promise<void> {
  const endpointId = endpointIdFrom(text);
  const { secret, sealed } = newSecret(operator);
  const until = new Date(operator.now().getTime() + (atOnce ? 0 : BOTH_SECRETS_MS));
  const database = await operator.database();
  const previousSecretUntil = until.toISOString();
  const previous = atOnce
    ? 'Calls are signed with this secret only from now on.'
    : `Calls are signed with the previous secret too until ${previousSecretUntil}.`;
  await database.transaction(async (sql) => {
    assertFound(await rotateSecret(sql, endpointId, sealed, until), endpointId);
    await operator.showSecret({ endpointId, secret, previousSecretUntil }, () =>
      [`secret  ${secret}`, previous, 'The secret is not shown again.'].join('\n'),
    );
  });
}
