import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { NO_NAME_SERVER } from '../../domain/webhooks/call-outcome.ts';

export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** RFC 6761 reserves `localhost` and the names below it. */
const LOCALHOST = /(?:^|\.)localhost\.?$/;
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The name server answered: the name does not exist or has no such address. */
const NOT_FOUND = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

/** Avoids getaddrinfo, whose two threads serve the whole process. Lookups share no socket with unanswered ones. */
export function createNameResolver({
  nameServers,
  attemptMs = 1000,
}: { nameServers?: readonly string[]; attemptMs?: number } = {}): Resolve {
  return async (name) => {
    if (LOCALHOST.test(name)) return LOOPBACK;
    const resolver = new Resolver({ timeout: attemptMs, tries: 2 });
    if (nameServers) resolver.setServers(nameServers);
    const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = families.flatMap((found, index) =>
      found.status === 'fulfilled'
        ? found.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
        : [],
    );
    if (addresses.length > 0) return addresses;
    const isUnknown = families.every(
      (each) => each.status === 'rejected' && NOT_FOUND.includes(each.reason.code),
    );
    throw Object.assign(new Error(), { code: isUnknown ? 'ENOTFOUND' : NO_NAME_SERVER });
  };
}
