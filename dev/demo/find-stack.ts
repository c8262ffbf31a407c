import { readFileSync } from 'node:fs';
import path from 'node:path';
import { addressFile, type Addresses } from '../stack/addresses.ts';

/** Where the running stack says it is; throws what to do when none runs. */
export async function findStack(dataDir: string): Promise<Addresses> {
  const folder = path.resolve(dataDir);
  const stack = readAddresses(folder);
  const opsUrl = `${stack.opsUrl}/readyz`;
  const answer = await fetch(opsUrl, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  if (answer?.ok) return stack;
  throw new Error(
    `The stack of ${folder} does not answer at ${opsUrl}.\nStart it again with "npm start".`,
  );
}

function readAddresses(folder: string): Addresses {
  try {
    return JSON.parse(readFileSync(addressFile(folder), 'utf8')) as Addresses;
  } catch {
    throw new Error(
      `No stack runs in ${folder}.\n` +
        'Start one with "npm start" in another terminal; if it has another folder, set DATA_DIR here too.',
    );
  }
}
