import { hashSecret } from '../../domain/credentials.ts';
import { recordTokenFailure } from '../../store/clients/record-token-failure.ts';
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
  const limits = limitsOf(call);
  const windowStartMs = Math.floor(call.now.getTime() / WINDOW_MS) * WINDOW_MS;
  const keys = limits.map(({ key }) => key);
  const counts = await recordTokenFailure(app.database, keys, new Date(windowStartMs));
  const reached = limits.find(({ max }, index) => (counts[index] ?? 0) > max);
  if (!reached) return;
  const resetSeconds = secondsUntil(windowStartMs + WINDOW_MS, call.now);
  throw exceeded('Too many failed token requests.', reached.max, resetSeconds);
}

function limitsOf({ clientId, address }: FailedCall): { key: string; max: number }[] {
  const byAddress = { key: keyOf('address', address), max: MAX_PER_ADDRESS };
  if (clientId === '') return [byAddress];
  return [byAddress, { key: keyOf('client', clientId), max: MAX_PER_CLIENT_ID }];
}

/** Hashed: of any length, and what somebody typed by mistake is not kept. */
function keyOf(kind: 'address' | 'client', value: string): string {
  return `${kind}/${hashSecret(value).toString('base64url')}`;
}

function secondsUntil(endMs: number, now: Date): number {
  return Math.max(1, Math.ceil((endMs - now.getTime()) / 1000));
}
