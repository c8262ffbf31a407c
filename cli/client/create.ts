import { randomUUID } from 'node:crypto';
import { OAuthClient } from '../../store/tables/index.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { credentialsText, newSecret } from './secret.ts';

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
    throw new OperatorError(
      `There is a client ${clientId} already; leadctl client rotate gives it a new secret.`,
    );
  }
  const { clientSecret, secretHash } = newSecret(operator);
  const { name, scope, quota } = options;
  await em.transactional(async (transaction) => {
    transaction.create(OAuthClient, {
      id: randomUUID(),
      clientId,
      name,
      secretHash,
      scope,
      dailyQuota: quota ?? null,
      active: true,
      createdAt: operator.now(),
      rotatedAt: null,
    });
    await transaction.flush();
    await operator.showSecret({ clientId, clientSecret, name, scope }, (made) =>
      credentialsText(made),
    );
  });
}
