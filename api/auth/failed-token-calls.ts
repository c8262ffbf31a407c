import { hashSecret } from '../../domain/clients/credentials.ts';
import { type FailureCounts, recordTokenFailure } from '../../store/clients/tokens.ts';
import type { AppContext } from '../context.ts';
import { exceeded, secondsToReset } from './quota.ts';

const WINDOW_MS = 60_000;

/** The most failed token calls in a minute; many integrators may share the address of one gateway. */
const MAX_PER_CLIENT_ID = 20;
const MAX_PER_ADDRESS = 100;

/**
 * Throws 429 above the limit of the address or client id. A call with the right secret is never throttled, so
 * nobody can lock a client out by failing in its name; the 256 bits of a secret protect against guessing.
 */
export async function throttleFailure(
  app: AppContext,
  { clientId, network, now }: { clientId: string; network: string; now: Date },
): Promise<void> {
  const windowStartMs = Math.floor(now.getTime() / WINDOW_MS) * WINDOW_MS;
  const keys = {
    address: keyOf('address', network),
    clientId: clientId === '' ? null : keyOf('client', clientId),
  };
  const counts = await recordTokenFailure(app.database, keys, {
    windowStart: new Date(windowStartMs),
    maxPerAddress: MAX_PER_ADDRESS,
  });
  const max = reachedLimit(counts);
  if (max === null) return;
  throw exceeded('Too many failed token requests.', max, secondsToReset(WINDOW_MS, now));
}

function reachedLimit({ address, clientId }: FailureCounts): number | null {
  if (address > MAX_PER_ADDRESS) return MAX_PER_ADDRESS;
  return clientId > MAX_PER_CLIENT_ID ? MAX_PER_CLIENT_ID : null;
}

/** Limits the rows of a minute, however many addresses and client ids are made up. */
const BUCKETS = 4096;

/** Hashed, since the value may be a secret sent in the wrong field. A collision is at worst an early 429. */
function keyOf(kind: 'address' | 'client', value: string): string {
  return `${kind}/${hashSecret(value).readUInt32BE(0) % BUCKETS}`;
}
