import type { ClientEntry } from '../../store/clients/manage-client.ts';
import { figure, tableText, timeText, valueText } from '../text.ts';

export function clientsText(clients: readonly ClientEntry[]): string {
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

export function credentialsText(
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  before = '',
): string {
  return [
    `client_id      ${clientId}`,
    `client_secret  ${clientSecret}`,
    `${before}The secret is not shown again.`,
  ].join('\n');
}

export function quotaText(
  name: string,
  quota: { dailyQuota: number; isDefault: boolean; usedToday: number },
): string {
  const kind = quota.isDefault ? ' by default' : '';
  return `${name} may make ${figure(quota.dailyQuota)} requests a day${kind}; ${figure(quota.usedToday)} today.`;
}
