import { setQuota } from '../../store/clients/manage-client.ts';
import type { Operator } from '../operator.ts';
import { existingClient } from './existing-client.ts';

/** What a client may ask for in a UTC day; `wanted` undefined changes nothing, null is the default. */
export async function clientQuota(
  operator: Operator,
  clientId: string,
  wanted: number | null | undefined,
): Promise<void> {
  const client = await existingClient(operator, clientId);
  if (wanted !== undefined) await setQuota(await operator.database(), clientId, wanted);
  const own = wanted === undefined ? client.dailyQuota : wanted;
  const dailyQuota = own ?? operator.config.dailyQuota;
  const { usedToday } = client;
  operator.show({ clientId, dailyQuota, isDefault: own === null, usedToday }, () => {
    const kind = own === null ? ' by default' : '';
    return `${client.name} may make ${dailyQuota.toLocaleString('en-US')} requests a day${kind}; ${usedToday.toLocaleString('en-US')} today.`;
  });
}
