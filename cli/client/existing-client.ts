import { readClient } from '../../store/clients/manage-client.ts';
import type { ClientEntry } from '../../store/clients/manage-client.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';

export async function existingClient(operator: Operator, clientId: string): Promise<ClientEntry> {
  const client = await readClient(await operator.database(), clientId, operator.now());
  if (!client) {
    throw new OperatorError(`There is no client ${clientId}; see leadctl client list.`);
  }
  return client;
}
