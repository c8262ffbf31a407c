import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';
import type { Resolve } from '../../activities/webhooks/call-endpoint.ts';

export interface NameServer {
  /** `127.0.0.1:port` */
  address: string;
  /** The addresses of every name; each look-up takes the next, the last one stays. */
  setAnswers(answers: readonly (readonly string[])[]): void;
  stop(): void;
}

const HEADER_BYTES = 12;
const TYPES = { A: 1, AAAA: 28 };

/** A DNS server over UDP that answers questions for A and AAAA, never to be cached. */
export async function startNameServer(): Promise<NameServer> {
  let answers: (readonly string[])[] = [];
  const asked = new Map<number, number>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const typeAt = query.indexOf(0, HEADER_BYTES) + 1;
    const type = query.readUInt16BE(typeAt);
    const turn = asked.get(type) ?? 0;
    asked.set(type, turn + 1);
    const addresses = answers[Math.min(turn, answers.length - 1)] ?? [];
    const question = query.subarray(HEADER_BYTES, typeAt + 4);
    socket.send(response(query.subarray(0, 2), question, type, addresses), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    setAnswers(next) {
      answers = [...next];
      asked.clear();
    },
    stop: () => void socket.close(),
  };
}

function response(id: Buffer, question: Buffer, type: number, addresses: readonly string[]) {
  const family = type === TYPES.A ? 'ipv4' : 'ipv6';
  const records = addresses
    .map((text) => ipaddr.parse(text))
    .filter((address) => address.kind() === family)
    .map((address) => {
      const data = Buffer.from(address.toByteArray());
      // A pointer to the question's name, type, class IN, time to live 0, length.
      const head = [0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length];
      return Buffer.concat([Buffer.from(head), data]);
    });
  const counts = Buffer.from([0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0]);
  return Buffer.concat([id, counts, question, ...records]);
}

/** Asks this server alone, for both families, as the system's resolver does. */
export function resolverAt(address: string): Resolve {
  const resolver = new Resolver();
  resolver.setServers([address]);
  return async (name) => {
    const [four, six] = await Promise.all([
      resolver.resolve4(name).catch(() => []),
      resolver.resolve6(name).catch(() => []),
    ]);
    return [
      ...four.map((each) => ({ address: each, family: 4 })),
      ...six.map((each) => ({ address: each, family: 6 })),
    ];
  };
}
