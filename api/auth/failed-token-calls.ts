import { hashSecret } from '../../domain/clients/credentials.ts';
import { type FailureCounts, recordTokenFailure } from '../../store/clients/clients.ts';
import type { AppContext } from '../context.ts';
import { exceeded, secondsToReset } from './quota.ts';

const WINDOW_MS = 60_000;

/** Failed calls in a minute. Many integrators may share the IP address of one gateway. */
const MAX_PER_CLIENT_ID = 20;
const MAX_PER_ADDRESS = 100;

/** A call with the right secret is never throttled, so that failed calls in a client's name do not lock it out. */
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

/** Limits the rows of a minute, however many invented addresses and client ids arrive. */
const BUCKETS = 4096;

/** Hashed, since the value may be a secret sent in the wrong field. A collision is at worst an early 429. */
function keyOf(kind: 'address' | 'client', value: string): string {
  return `${kind}/${hashSecret(value).readUInt32BE(0) % BUCKETS}`;
}
