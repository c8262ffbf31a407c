import { Client, Connection, isGrpcServiceError } from '@temporalio/client';
import type { TemporalSettings } from '../platform/temporal-settings.ts';
import type { status } from '@grpc/grpc-js';

export type TemporalClient = Awaited<ReturnType<typeof connectTemporal>>;

/** Connects at first use, so that a process can start while Temporal is down. */
export async function connectTemporal({ connectionOptions, namespace }: TemporalSettings) {
  // The SDK's retries continue after a deadline, and fail unhandled if the connection is closed.
  const connection = Connection.lazy({ ...connectionOptions, interceptors: [] });
  const client = new Client({ connection, namespace });
  return { client, close: () => connection.close() };
}

const PING_MS = 2000;

export async function isTemporalReachable(client: Client, withinMs = PING_MS) {
  await client.withDeadline(Date.now() + withinMs, () =>
    client.connection.workflowService.getSystemInfo({}),
  );
  return true;
}

/** The SDK wraps some of the server's errors. */
export function hasGrpcStatus(error: unknown, codes: readonly status[]): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((each) => isGrpcServiceError(each) && codes.includes(each.code));
}
