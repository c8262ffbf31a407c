import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_NAME_SERVER } from '../../domain/webhooks/call-outcome.ts';

export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export interface NameResolverOptions {
  /** `address:port` each. Defaults to those of `resolverFile`. */
  nameServers?: readonly string[];
  hostsFile?: string;
  /** Gives the search domains that are appended to a name that is not found as it stands. */
  resolverFile?: string;
  /** The timeout of the first try to ask one name server. A second by default. */
  tryMs?: number;
  /** How long the addresses of one family wait for those of the other. By default as in RFC 8305. */
  otherFamilyMs?: number;
}

interface Answer {
  addresses: LookupAddress[];
  keptForMs: number;
}

/** The last answer about a name, or the pause after no server answered. */
interface Known {
  addresses: LookupAddress[] | null;
  untilMs: number;
  /** How often in a row no server answered. */
  failures: number;
}

const TRY_MS = 1000;
/** The second lasts twice as long, at each name server. */
const TRIES = 2;
/** In timeouts of the first try. */
const LONGEST_QUESTION = 4;
const OTHER_FAMILY_MS = 50;
const LONGEST_KEPT_MS = 3_600_000;
const SHORTEST_BACK_OFF_MS = 1000;
const LONGEST_BACK_OFF_MS = 30_000;

/**
 * Resolves names without getaddrinfo, whose two threads serve the whole process. Concurrent lookups of a name share a
 * query. Answers for both families are cached for their time to live. A name that no server answered is retried after a
 * pause. Its caller refuses private addresses (`call-endpoint.ts`).
 */
export function createNameResolver(options: NameResolverOptions = {}): Resolve {
  const asked = new Map<string, Promise<LookupAddress[]>>();
  const known = new Map<string, Known>();

  async function ask(name: string): Promise<LookupAddress[]> {
    try {
      const { addresses, keptForMs } = await findAddresses(name, options);
      known.set(name, { addresses, untilMs: performance.now() + keptForMs, failures: 0 });
      return addresses;
    } catch (error) {
      if (error instanceof NoNameServer) backOff(name);
      else known.delete(name);
      throw error;
    }
  }

  function backOff(name: string): void {
    const failures = (known.get(name)?.failures ?? 0) + 1;
    const backOffMs = Math.min(SHORTEST_BACK_OFF_MS * 2 ** (failures - 1), LONGEST_BACK_OFF_MS);
    known.set(name, { addresses: null, untilMs: performance.now() + backOffMs, failures });
  }

  return async (name) => {
    const latest = known.get(name);
    if (latest && latest.untilMs > performance.now()) {
      if (latest.addresses) return latest.addresses;
      throw new NoNameServer();
    }
    const question = asked.get(name) ?? ask(name).finally(() => asked.delete(name));
    asked.set(name, question);
    return question;
  };
}

class NoNameServer extends Error {
  readonly code = NO_NAME_SERVER;
}

class NameNotFound extends Error {
  readonly code = 'ENOTFOUND';
}

async function findAddresses(name: string, options: NameResolverOptions): Promise<Answer> {
  const { hostsFile = '/etc/hosts', resolverFile = '/etc/resolv.conf' } = options;
  const relative = name.replace(/\.$/, '');
  const local = findInHosts(relative, await readLines(hostsFile)) ?? loopbackAddresses(relative);
  if (local) return { addresses: local, keptForMs: 0 };
  for (const candidate of withSearchDomains(name, await readLines(resolverFile))) {
    const answer = await askNameServers(candidate, options);
    if (answer) return answer;
  }
  throw new NameNotFound();
}

/** The words of each line of a file that may be missing, without comments. */
async function readLines(file: string): Promise<string[][]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .split(/\s+/)
      .filter(Boolean),
  );
}

const toAddress = (address: string): LookupAddress => ({ address, family: isIP(address) });

function findInHosts(name: string, lines: readonly string[][]): LookupAddress[] | null {
  const found = lines.filter(([address = '', ...names]) => {
    return isIP(address) !== 0 && names.some((each) => each.toLowerCase() === name);
  });
  return found.length > 0 ? found.map(([address = '']) => toAddress(address)) : null;
}

/** RFC 6761 keeps these names from name servers. */
function loopbackAddresses(name: string): LookupAddress[] | null {
  return /(^|\.)localhost$/.test(name) ? ['127.0.0.1', '::1'].map(toAddress) : null;
}

/** A name with a dot is tried as it stands first, so that no search domain can take the place of a public name. */
function withSearchDomains(name: string, lines: readonly string[][]): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const [, ...domains] = lines.findLast(([word]) => word === 'search' || word === 'domain') ?? [];
  const longer = domains.map((domain) => `${name}.${domain}`);
  return name.includes('.') ? [name, ...longer] : [...longer, name];
}

/**
 * Returns null if the name does not exist. Each query has its own resolver, so that it can be cancelled and shares no
 * socket or state with unanswered ones.
 */
async function askNameServers(
  name: string,
  { nameServers, tryMs = TRY_MS, otherFamilyMs = OTHER_FAMILY_MS }: NameResolverOptions,
): Promise<Answer | null> {
  const resolver = new Resolver({ timeout: tryMs, tries: TRIES });
  if (nameServers) resolver.setServers(nameServers);
  const limit = setTimeout(() => resolver.cancel(), LONGEST_QUESTION * tryMs);
  const questions = [
    resolver.resolve4(name, { ttl: true }),
    resolver.resolve6(name, { ttl: true }),
  ] as const;
  const both = Promise.allSettled(questions);
  const either = Promise.any(questions).then(() => sleep(otherFamilyMs, undefined, { ref: false }));
  await Promise.race([both, either.catch(() => both)]);
  clearTimeout(limit);
  resolver.cancel();
  return toAnswer(await both);
}

type Settled = PromiseSettledResult<{ address: string; ttl: number }[]>;

function toAnswer(questions: readonly Settled[]): Answer | null {
  const records = questions.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (records.length > 0) {
    const keptForMs = Math.min(...records.map(({ ttl }) => ttl * 1000), LONGEST_KEPT_MS);
    // This machine may reach only the addresses that are missing.
    const isWhole = questions.every((each) => each.status === 'fulfilled' || meansUnknown(each));
    const addresses = records.map(({ address }) => toAddress(address));
    return { addresses, keptForMs: isWhole ? keptForMs : 0 };
  }
  const isUnknown = questions.every((each) => each.status === 'rejected' && meansUnknown(each));
  if (isUnknown) return null;
  throw new NoNameServer();
}

function meansUnknown({ reason }: PromiseRejectedResult): boolean {
  return ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes((reason as { code?: string }).code ?? '');
}
