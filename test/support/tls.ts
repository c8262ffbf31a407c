import { chownSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import path from 'node:path';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { postgresAccount } from '../../dev/postgres/binaries.ts';
import { newFolder } from './folder.ts';

export interface Certificate {
  certFile: string;
  keyFile: string;
  cert: string;
  key: string;
}

export interface Authority {
  caFile: string;
  ca: string;
  /** A certificate for the host `name`, or of the client `name`. */
  issue(name: string): Promise<Certificate>;
}

/** A certificate authority of the test's own; the keys that it issues are readable by Postgres too. */
export async function createAuthority(name: string): Promise<Authority> {
  const folder = newFolder();
  const ca = await generate([{ name: 'commonName', value: name }], {
    ...{ keyType: 'ec', algorithm: 'sha256' },
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const write = (file: string, text: string) => {
    const place = path.join(folder, file);
    writeFileSync(place, text, { mode: 0o600 });
    const account = postgresAccount();
    if (account) chownSync(place, account.uid, account.gid);
    return place;
  };
  return {
    caFile: write('ca.crt', ca.cert),
    ca: ca.cert,
    async issue(name) {
      const made = await generate([{ name: 'commonName', value: name }], {
        ...{ keyType: 'ec', algorithm: 'sha256' },
        ca: { key: ca.private, cert: ca.cert },
        extensions: [
          { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
          { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
        ],
      });
      return {
        certFile: write(`${name}.crt`, made.cert),
        keyFile: write(`${name}.key`, made.private),
        cert: made.cert,
        key: made.private,
      };
    },
  };
}

/** Speaks TLS in front of a Temporal server that does not; asks for a client certificate where `clients` is given. */
export async function startTlsFront(
  address: string,
  { cert, key, clients }: { cert: string; key: string; clients?: string },
) {
  const [host = '', port] = address.split(':');
  const asked = clients ? { ca: clients, requestCert: true } : {};
  const server = createServer({ cert, key, ALPNProtocols: ['h2'], ...asked }, (near) => {
    const far = connect(Number(port), host);
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    port: own,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
