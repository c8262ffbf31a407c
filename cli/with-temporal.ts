import { status } from '@grpc/grpc-js';
import { isGrpcDeadlineError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { hasGrpcStatus } from '../temporal/grpc-status.ts';
import { OperatorError } from './operator.ts';
import type { Operator } from './operator.ts';

/** A client that has reached the server; a sentence, and nothing done yet, when it is away. */
export async function reachedTemporal(operator: Operator): Promise<Client> {
  const client = await operator.temporal();
  await client.connection.ensureConnected().catch((error: Error) => {
    throw new OperatorError(
      `Temporal cannot be reached at ${operator.config.temporal.address}, so nothing was done. ${error.message}`,
    );
  });
  return client;
}

/** Work with Temporal that ends in a sentence, not in a stack, when it is away. */
export async function withTemporal<T>(
  operator: Operator,
  deadlineMs: number,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await reachedTemporal(operator);
  try {
    return await client.withDeadline(Date.now() + deadlineMs, () => work(client));
  } catch (error) {
    throw readable(error, operator.config.temporal.address, deadlineMs);
  }
}

function readable(error: unknown, address: string, deadlineMs: number): unknown {
  if (isTimeout(error)) {
    return new OperatorError(
      `Temporal gave no answer within ${deadlineMs / 1000} s. Is a worker running? Look at the lead before trying again.`,
    );
  }
  if (hasGrpcStatus(error, [status.UNAVAILABLE])) {
    return new OperatorError(
      `Temporal went away at ${address}. Look at the lead before trying again.`,
    );
  }
  return error;
}

function isTimeout(error: unknown): boolean {
  return error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error);
}
