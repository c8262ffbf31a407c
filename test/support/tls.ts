import { chownSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generate } from 'selfsigned';
import { postgresAccount } from '../../dev/postgres/cluster.ts';
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
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const write = (file: string, text: string) => {
    const place = path.join(folder, file);
    writeFileSync(place, text, { mode: 0o600 });
    const account = postgresAccount(folder);
    if (account) chownSync(place, account.uid, account.gid);
    return place;
  };
  return {
    caFile: write('ca.crt', ca.cert),
    ca: ca.cert,
    async issue(name) {
      const made = await generate([{ name: 'commonName', value: name }], {
        keyType: 'ec',
        algorithm: 'sha256',
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
