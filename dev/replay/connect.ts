import { readFile } from 'node:fs/promises';
import { parseConfig, withoutEmpty } from '../../platform/config.ts';
import { tlsReason } from '../../platform/startup-error.ts';
import {
  connectTemporal,
  isTemporalReachable,
  type TemporalClient,
} from '../../temporal/connection.ts';
import type { Addresses } from '../stack/addresses.ts';
import { addressFile } from '../stack/data-folder.ts';

type Variables = Record<string, string | undefined>;

/** Of the service's configuration, what a client of Temporal does without. */
const NOT_NEEDED = { DATABASE_URL: 'postgres:', SECRETS_KEY: '0'.repeat(64) };
const CONNECT_MS = 10_000;

/** Connects to the Temporal server of the service; without an address to that of the stack in DATA_DIR. */
export async function connectToServer(variables: Variables): Promise<TemporalClient> {
  const given = withoutEmpty(variables);
  const { temporal } = parseConfig({ ...NOT_NEEDED, ...(await runningStack(given)), ...given });
  const connected = await connectTemporal(temporal);
  try {
    await isTemporalReachable(connected.client, CONNECT_MS);
  } catch (error) {
    await connected.close();
    const reason = tlsReason(error) ?? (error as Error).message;
    throw new Error(`Temporal cannot be reached at ${temporal.address}: ${reason}`);
  }
  return connected;
}

async function runningStack({ DATA_DIR = '.data' }: Variables): Promise<Variables> {
  const text = await readFile(addressFile(DATA_DIR), 'utf8').catch(() => null);
  return text === null ? {} : { TEMPORAL_ADDRESS: (JSON.parse(text) as Addresses).temporalAddress };
}
