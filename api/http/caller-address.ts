import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** `X-Forwarded-For` counts only if it has an entry for each proxy: the sender may have invented a shorter one. */
export function callerNetwork(request: IncomingMessage, trustedProxies: number): string {
  const entries = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const forwarded = trustedProxies > 0 ? withoutPort(entries.at(-trustedProxies) ?? '') : '';
  return networkOf(isIP(forwarded) === 0 ? (request.socket.remoteAddress ?? '') : forwarded);
}

/** Some proxies add the port: `192.0.2.1:49152`, `[2001:db8::1]:49152`. */
function withoutPort(entry: string): string {
  const [, v6, v4] = /^\s*(?:\[(.*)\]|([\d.]+))(?::\d+)?\s*$/.exec(entry) ?? [];
  return v6 ?? v4 ?? entry.trim();
}

/** A machine may have a whole IPv6 /64. */
export const networkOf = (address: string) => prefixOf(address, 64);

/** A provider's customer may have a whole IPv6 /48. */
export const siteOf = (address: string) => prefixOf(address, 48);

function prefixOf(text: string, bits: 48 | 64): string {
  if (isIP(text) === 0) return text;
  const [plain = ''] = text.split('%'); // ipaddr.js knows no zone with a dash or dot, such as `%br-1a`
  const address = ipaddr.process(plain); // makes an IPv4-mapped address the IPv4 address
  if (address instanceof ipaddr.IPv4) return address.toString();
  const groups = address.parts.slice(0, bits / 16).map((group) => group.toString(16));
  return `${groups.join(':')}::/${bits}`;
}
