import { rmSync } from 'node:fs';
import path from 'node:path';
import { writePrivate } from './private-file.ts';

/** What `stack.json` says while a stack is up; null for what this stack did not start or leaves out. */
export interface Addresses {
  baseUrl: string;
  opsUrl: string;
  clientId: string;
  clientSecret: string;
  databaseUrl: string;
  temporalAddress: string;
  temporalUiUrl: string | null;
  registryUrl: string | null;
  receiverUrl: string;
}

export const addressFile = (dataDir: string) => path.join(dataDir, 'stack.json');

export function publishAddresses(dataDir: string, addresses: Addresses): void {
  writePrivate(addressFile(dataDir), `${JSON.stringify(addresses, null, 2)}\n`);
}

export function withdrawAddresses(dataDir: string): void {
  rmSync(addressFile(dataDir), { force: true });
}
