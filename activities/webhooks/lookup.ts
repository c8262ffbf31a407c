import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isForbiddenAddress } from '../../domain/webhooks/forbidden-address.ts';
import { FORBIDDEN_ADDRESS } from '../../domain/webhooks/outcome.ts';

export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
  readonly code = FORBIDDEN_ADDRESS;
}

export type Resolve = (hostname: string, options: { all: true }) => Promise<LookupAddress[]>;

/**
 * Resolves names for the calls, and refuses forbidden addresses among the very answers that are then
 * connected to. Simultaneous questions for one name are asked once: the system's resolver has few
 * threads, and a name server that hangs must not take them all.
 */
export function createLookup(allowPrivate: boolean, ask: Resolve): LookupFunction {
  const asked = new Map<string, Promise<LookupAddress[]>>();

  function resolved(hostname: string): Promise<LookupAddress[]> {
    const running = asked.get(hostname);
    if (running) return running;
    const question = ask(hostname, { all: true }).finally(() => asked.delete(hostname));
    asked.set(hostname, question);
    return question;
  }

  async function publicAddresses(hostname: string): Promise<LookupAddress[]> {
    const addresses = await resolved(hostname);
    const isForbidden = addresses.some(({ address }) => isForbiddenAddress(address, allowPrivate));
    if (isForbidden || addresses.length === 0) throw new ForbiddenAddress();
    return addresses;
  }

  return (hostname, options, callback) => {
    publicAddresses(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}
