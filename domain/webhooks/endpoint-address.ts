import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export function endpointUrlError(text: string, allowHttp: boolean): string | null {
  if (!URL.canParse(text)) return 'It is not a URL.';
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'It is not an https address.';
  if (protocol === 'http:' && !allowHttp) {
    return 'Plain http is for development only: use https, or say --allow-http.';
  }
  // Lists and logs would show them. The signature authenticates the call.
  if (username !== '' || password !== '') return 'It must not hold a user name or password.';
  return null;
}

/** Cloud metadata and unspecified addresses, even if private addresses are allowed. */
const METADATA = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
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
].map((network) => ipaddr.parseCIDR(network));

/** All other IPv6 addresses are special or unassigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Only public unicast is allowed (IANA special-purpose registries), without addresses at which clouds serve secrets. */
export function isForbiddenAddress(address: string, allowPrivate: boolean): boolean {
  const [plain = ''] = address.split('%');
  if (isIP(plain) === 0) return true;
  const isMetadata =
    ipaddr.subnetMatch(ipaddr.process(plain), { metadata: METADATA }) === 'metadata';
  return isMetadata || (!allowPrivate && !isPublic(ipaddr.parse(plain)));
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const isGlobal = address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
  return isGlobal && address.range() === 'unicast';
}
