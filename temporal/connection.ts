import { readFile } from 'node:fs/promises';
import { Client, Connection, isGrpcServiceError } from '@temporalio/client';
import type { Config } from '../platform/config.ts';
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
    ...(config.tls ? { tls: await tlsOptions(config) } : {}),
  };
}

async function tlsOptions({ tlsCertFile, tlsKeyFile }: Config['temporal']) {
  if (!tlsCertFile || !tlsKeyFile) return true;
  const [crt, key] = await Promise.all([readFile(tlsCertFile), readFile(tlsKeyFile)]);
  return { clientCertPair: { crt, key } };
}

const PING_MS = 2000;

export async function isTemporalReachable(client: Client): Promise<boolean> {
  await client.withDeadline(Date.now() + PING_MS, () =>
    client.connection.workflowService.getSystemInfo({}),
  );
  return true;
}

/** The SDK wraps some of the server's errors, so the error's cause counts as well. */
export function hasGrpcStatus(error: unknown, codes: readonly status[]): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((each) => isGrpcServiceError(each) && codes.includes(each.code));
}
