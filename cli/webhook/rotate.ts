import { rotateSecret } from '../../store/webhooks/endpoints.ts';
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
  const now = operator.now();
  const until = new Date(now.getTime() + (atOnce ? 0 : BOTH_SECRETS_MS));
  const database = await operator.database();
  await database.transaction(async (sql) => {
    const rotated = await rotateSecret(sql, endpointId, sealed, until);
    assertFound(rotated !== null, endpointId);
    const { formerUntil } = rotated;
    const cutShort = formerUntil && formerUntil > now ? formerUntil : null;
    const signedBy = atOnce ? ONLY_THIS : signedByBoth(until, cutShort);
    const previousSecretUntil = until.toISOString();
    await operator.showSecret({ endpointId, secret, previousSecretUntil }, () =>
      [`secret  ${secret}`, ...signedBy, 'The secret is not shown again.'].join('\n'),
    );
  });
}

const ONLY_THIS = ['Calls are signed with this secret only from now on.'];

function signedByBoth(until: Date, cutShort: Date | null): string[] {
  const both = `Calls are signed with the previous secret too until ${until.toISOString()}.`;
  if (cutShort === null) return [both];
  return [
    both,
    `The one before that, good until ${cutShort.toISOString()} so far, signs no more: a receiver that has it refuses calls until it has another.`,
  ];
}
