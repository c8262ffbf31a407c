import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { Client, Connection, isGrpcServiceError, type TLSConfig } from '@temporalio/client';
import { ConfigurationError, type Config } from '../platform/config.ts';
import type { status } from '@grpc/grpc-js';

export type TemporalClient = Awaited<ReturnType<typeof connectTemporal>>;

/** A client that connects at first use, so that a process can start while Temporal is away. */
export async function connectTemporal(config: Config['temporal']) {
  // The SDK's own retries go on after a deadline and fail in the open when the connection is closed.
  const connection = Connection.lazy({ ...(await connectionOptions(config)), interceptors: [] });
  const client = new Client({ connection, namespace: config.namespace });
  return { client, close: () => connection.close() };
}

export async function connectionOptions(config: Config['temporal']) {
  return {
    address: config.address,
    ...(config.apiKey ? { apiKey: config.apiKey } : {}),
    ...(config.tls ? { tls: await readTlsOptions(config.tls) } : {}),
  };
}

async function readTlsOptions(tls: NonNullable<Config['temporal']['tls']>): Promise<TLSConfig> {
  const { serverName, ...files } = tls;
  const read = (file: string | undefined) => (file === undefined ? undefined : readFile(file));
  const [ca, crt, key] = await Promise.all([files.caFile, files.certFile, files.keyFile].map(read));
  assertReadable('TEMPORAL_TLS_CA_FILE: is no certificate', () => ca && new X509Certificate(ca));
  assertReadable(
    'TEMPORAL_TLS_KEY_FILE: is not the key of the certificate in TEMPORAL_TLS_CERT_FILE',
    () => createSecureContext({ cert: crt, key }),
  );
  return {
    ...(ca ? { serverRootCACertificate: ca } : {}),
    ...(serverName ? { serverNameOverride: serverName } : {}),
    ...(crt && key ? { clientCertPair: { crt, key } } : {}),
  };
}

/** Neither of the SDK's clients says which of the files cannot be used. */
function assertReadable(issue: string, read: () => unknown): void {
  try {
    read();
  } catch {
    throw new ConfigurationError(`The configuration is not valid:\n  ${issue}`);
  }
}

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
