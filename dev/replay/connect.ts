import { readFile } from 'node:fs/promises';
import { parseConfig, withoutEmpty } from '../../platform/config.ts';
import { refusalReason } from '../../platform/startup-error.ts';
import { withoutTemporalServer, type Variables } from '../../platform/temporal/variables.ts';
import {
  connectTemporal,
  isTemporalReachable,
  type TemporalClient,
} from '../../temporal/connection.ts';
import type { Addresses } from '../stack/addresses.ts';
import { addressFile } from '../stack/data-folder.ts';

/** Of the service's configuration, what a client of Temporal does without. */
const NOT_NEEDED = { DATABASE_URL: 'postgres:', SECRETS_KEY: '0'.repeat(64) };
const CONNECT_MS = 10_000;

/** Connects to the Temporal server of the service; where none is named, to that of the stack in DATA_DIR. */
export async function connectToServer(variables: Variables): Promise<TemporalClient> {
  const given = withoutEmpty(variables);
  const isNamed = given.TEMPORAL_ADDRESS ?? given.TEMPORAL_CONFIG_FILE ?? given.TEMPORAL_PROFILE;
  const { temporal } = parseConfig({
    ...NOT_NEEDED,
    ...(isNamed ? given : await withRunningStack(given)),
  });
  const connected = await connectTemporal(temporal);
  try {
    await isTemporalReachable(connected.client, CONNECT_MS);
  } catch (error) {
    await connected.close();
    const reason = refusalReason(error) ?? (error as Error).message;
    throw new Error(`Temporal cannot be reached at ${temporal.address}: ${reason}`);
  }
  return connected;
}

async function withRunningStack(given: Variables): Promise<Variables> {
  const text = await readFile(addressFile(given.DATA_DIR ?? '.data'), 'utf8').catch(() => null);
  if (text === null) return given;
  const { temporalAddress, temporalUiUrl } = JSON.parse(text) as Addresses;
  const settings = temporalUiUrl ? withoutTemporalServer(given) : given;
  return { ...settings, TEMPORAL_ADDRESS: temporalAddress };
}
