import { readClients } from '../../store/clients/manage-client.ts';
import type { ClientEntry } from '../../store/clients/manage-client.ts';
import { tableText } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { timeText, valueText } from '../text.ts';

export async function listClients(operator: Operator): Promise<void> {
  operator.show(await readClients(await operator.database(), operator.now()), clientsText);
}

function clientsText(clients: readonly ClientEntry[]): string {
  return tableText(
    ['client_id', 'name', 'scope', 'quota', 'today', 'tokens', 'active', 'created', 'rotated'],
    clients.map((client) => [
      client.clientId,
      client.name,
      client.scope,
      client.dailyQuota ?? 'default',
      client.usedToday,
      client.liveTokens,
      valueText(client.active),
      timeText(client.createdAt),
      timeText(client.rotatedAt),
    ]),
  );
}
