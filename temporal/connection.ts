import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { Client, Connection, isGrpcServiceError } from '@temporalio/client';
import type { ClientConfigTLS, ConfigDataSource } from '@temporalio/envconfig';
import { ConfigurationError, type Config } from '../platform/config.ts';
import { errorCode } from '../platform/errors.ts';
import { loadEnvconfig } from '../platform/temporal/libraries.ts';
import type { status } from '@grpc/grpc-js';

export type TemporalClient = Awaited<ReturnType<typeof connectTemporal>>;

/** Creates a client that connects at first use, so that a process can start while Temporal is down. */
export async function connectTemporal(config: Config['temporal']) {
  // The SDK's own retries go on after a deadline and fail in the open when the connection is closed.
  const connection = Connection.lazy({ ...connectionOptions(config), interceptors: [] });
  const client = new Client({ connection, namespace: config.namespace });
  return { client, close: () => connection.close() };
}

/** Reads the certificates. Throws a ConfigurationError that names those that are not usable. */
export function connectionOptions({ address, profile, fileNames }: Config['temporal']) {
  if (!profile) return { address, metadata: {} };
  assertUsable(profile.tls ?? {}, fileNames);
  const { apiKey, tls, metadata } = loadEnvconfig().toClientOptions(profile).connectionOptions;
  return {
    address,
    ...(apiKey ? { apiKey } : {}),
    ...(tls ? { tls } : {}),
    metadata: { ...metadata }, // the SDK's clients add their own
  };
}

/** Names the file that is not usable, which neither of the SDK's clients does. */
function assertUsable(
  { serverCACert, clientCert, clientKey }: ClientConfigTLS,
  names: Config['temporal']['fileNames'],
): void {
  const ca = read(serverCACert, names.server_ca_cert);
  const cert = read(clientCert, names.client_cert);
  const key = read(clientKey, names.client_key);
  attempt(`${names.server_ca_cert}: is no certificate`, () => ca && new X509Certificate(ca));
  attempt(`${names.client_cert}: is no certificate`, () => cert && new X509Certificate(cert));
  const noKey = `${names.client_key}: is not the key of the certificate in ${names.client_cert}`;
  attempt(noKey, () => cert && key && createSecureContext({ cert, key }));
}

function read(source: ConfigDataSource | undefined, name: string): Buffer | undefined {
  try {
    const content = loadEnvconfig().loadConfigData(source);
    return content && Buffer.from(content);
  } catch (error) {
    const place = source && 'path' in source ? ` ${source.path}` : '';
    throw invalid(`${name}:${place} cannot be read: ${errorCode(error)}`);
  }
}

function attempt(issue: string, work: () => unknown): void {
  try {
    work();
  } catch {
    throw invalid(issue);
  }
}

const invalid = (issue: string) =>
  new ConfigurationError(`The configuration is not valid:\n  ${issue}`);

const PING_MS = 2000;

export async function isTemporalReachable(client: Client, withinMs = PING_MS) {
  await client.withDeadline(Date.now() + withinMs, () =>
    client.connection.workflowService.getSystemInfo({}),
  );
  return true;
}

/** The SDK wraps some of the server's errors, so the error's cause counts as well. */
export function hasGrpcStatus(error: unknown, codes: readonly status[]): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((each) => isGrpcServiceError(each) && codes.includes(each.code));
}
