import { randomUUID } from 'node:crypto';
import { OAuthClient } from '../../../store/entities.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { newSecret } from './secret.ts';

export interface CreateOptions {
  name: string;
  clientId?: string;
  scope: string;
  quota?: number;
}

export async function createClient(operator: Operator, options: CreateOptions): Promise<void> {
  const em = (await operator.database()).orm.em.fork();
  const clientId = options.clientId ?? randomUUID();
  if (await em.findOne(OAuthClient, { clientId })) {
    throw new OperatorError(`There is a client ${clientId} already.`);
  }
  const { clientSecret, secretHash } = newSecret(operator);
  em.create(OAuthClient, {
    id: randomUUID(),
    clientId,
    name: options.name,
    secretHash,
    scope: options.scope,
    dailyQuota: options.quota ?? null,
    active: true,
    createdAt: operator.now(),
    rotatedAt: null,
  });
  await em.flush();
  operator.show({ clientId, clientSecret, name: options.name, scope: options.scope }, (made) =>
    [
      `client_id      ${made.clientId}`,
      `client_secret  ${made.clientSecret}`,
      'The secret is not shown again.',
    ].join('\n'),
  );
}
