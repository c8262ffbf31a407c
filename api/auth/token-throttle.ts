import { hashSecret } from '../../domain/clients/credentials.ts';
import { recordTokenFailure } from '../../store/clients/record-token-failure.ts';
import type { FailureCounts, FailureKeys } from '../../store/clients/record-token-failure.ts';
import type { AppContext } from '../context.ts';
import { exceeded } from './quota.ts';

const WINDOW_MS = 60_000;

/** Failed calls in a minute; an address may be that of many integrators behind one gateway. */
const MAX_PER_CLIENT_ID = 20;
const MAX_PER_ADDRESS = 100;

export interface FailedCall {
  clientId: string;
  address: string;
  now: Date;
}

/**
 * Counts a failed token call; throws 429 once there were too many from its address or for its client id.
 * Only failed calls come here: whoever has the right secret is served all the while, so nobody can lock a
 * client out by failing in its name. Against guessing stand the 256 bits of a secret.
 */
export async function throttleFailure(app: AppContext, call: FailedCall): Promise<void> {
  const windowStartMs = Math.floor(call.now.getTime() / WINDOW_MS) * WINDOW_MS;
  const counts = await recordTokenFailure(app.database, keysOf(call), {
    windowStart: new Date(windowStartMs),
    maxPerAddress: MAX_PER_ADDRESS,
  });
  const max = reachedLimit(counts);
  if (max === null) return;
  const resetSeconds = secondsUntil(windowStartMs + WINDOW_MS, call.now);
  throw exceeded('Too many failed token requests.', max, resetSeconds);
}

function reachedLimit({ address, clientId }: FailureCounts): number | null {
  if (address > MAX_PER_ADDRESS) return MAX_PER_ADDRESS;
  return clientId > MAX_PER_CLIENT_ID ? MAX_PER_CLIENT_ID : null;
}

function keysOf({ clientId, address }: FailedCall): FailureKeys {
  return {
    address: keyOf('address', address),
    clientId: clientId === '' ? null : keyOf('client', clientId),
  };
}

/** Hashed: of any length, and what somebody typed by mistake is not kept. */
function keyOf(kind: 'address' | 'client', value: string): string {
  return `${kind}/${hashSecret(value).toString('base64url')}`;
}

function secondsUntil(endMs: number, now: Date): number {
  return Math.max(1, Math.ceil((endMs - now.getTime()) / 1000));
}
