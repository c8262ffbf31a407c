import { BlockList, isIP, type IPVersion } from 'node:net';

/** Why `text` cannot be the address of an endpoint. Null if it can. */
export function endpointUrlError(text: string, allowHttp: boolean): string | null {
  if (!URL.canParse(text)) return 'It is not a URL.';
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'It is not an https address.';
  if (protocol === 'http:' && !allowHttp) {
    return 'Plain http is for development only: use https, or say --allow-http.';
  }
  // Lists and logs would show them; the signature authenticates the call.
  if (username !== '' || password !== '') return 'It must not hold a user name or password.';
  return null;
}

/**
 * Addresses that webhooks never call: all that are not public unicast (IANA special-purpose registries),
 * and the metadata addresses at which a cloud serves secrets to its machines.
 */
const forbiddenNetworks = {
  ipv4: [
    '0.0.0.0/8', // this network
    '10.0.0.0/8', // private
    '100.64.0.0/10', // carrier-grade NAT
    '127.0.0.0/8', // loopback
    '169.254.0.0/16', // link-local, metadata
    '172.16.0.0/12', // private
    '192.0.0.0/24', // protocol assignments
    '192.0.2.0/24', // documentation
    '192.31.196.0/24', // AS112
    '192.52.193.0/24', // AMT
    '192.88.99.0/24', // 6to4 relay
    '192.168.0.0/16', // private
    '192.175.48.0/24', // AS112
    '198.18.0.0/15', // benchmarking
    '198.51.100.0/24', // documentation
    '203.0.113.0/24', // documentation
    '224.0.0.0/4', // multicast
    '240.0.0.0/4', // reserved, broadcast
    '168.63.129.16/32', // metadata of Azure
  ],
  ipv6: [
    // All but 2000::/3: unspecified, loopback, IPv4-mapped and -compatible, NAT64, unique local,
    // link-local, site-local, multicast, and unassigned ranges.
    '::/3',
    '4000::/2',
    '8000::/1',
    '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarking
    '2001:db8::/32', // documentation
    '2002::/16', // 6to4
    '2620:4f:8000::/48', // AS112
    '3fff::/20', // documentation
  ],
} as const;

/** Forbidden even to an installation that may call its own network: cloud metadata and unspecified addresses. */
const metadata = {
  ipv4: ['0.0.0.0/8', '169.254.0.0/16', '168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32'],
  ipv6: [
    '::/128',
    'fe80::/10',
    'fd00:ec2::/32',
    'fd20:ce::254/128',
    'fd00:c1::a9fe:a9fe/128',
    // These lead to any IPv4 address.
    '64:ff9b::/32',
    '::ffff:0:0:0/96',
    '2001::/32',
    '2002::/16',
  ],
} as const;

const forbidden = blockLists(forbiddenNetworks);
const forbiddenInDevelopment = blockLists(metadata);

/** Takes an address as the system resolved it; a text that is no address is forbidden. */
export function isForbiddenAddress(address: string, allowPrivate: boolean): boolean {
  const plain = address.split('%')[0] ?? '';
  const { ipv4, ipv6 } = allowPrivate ? forbiddenInDevelopment : forbidden;
  switch (isIP(plain)) {
    case 4:
      return ipv4.check(plain, 'ipv4');
    case 6:
      // An IPv4-mapped address is checked against the IPv4 networks too.
      return ipv6.check(plain, 'ipv6') || ipv4.check(plain, 'ipv6');
    default:
      return true;
  }
}

/** One list per family: a list of both would take every IPv4 address for an IPv6 one of ::/3. */
function blockLists({ ipv4, ipv6 }: Record<IPVersion, readonly string[]>) {
  return { ipv4: blockList('ipv4', ipv4), ipv6: blockList('ipv6', ipv6) };
}

function blockList(family: IPVersion, networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
