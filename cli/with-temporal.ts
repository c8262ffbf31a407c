import { status } from '@grpc/grpc-js';
import {
  isGrpcDeadlineError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
} from '@temporalio/client';
import { refusalReason } from '../platform/startup-error.ts';
import { hasGrpcStatus, isTemporalReachable } from '../temporal/connection.ts';
import { OperatorError, type Operator } from './operator.ts';

const CONNECT_MS = 10_000;

/** A client that has connected. Fails with one sentence, before anything is done, when Temporal cannot be reached. */
export async function connectToTemporal(operator: Operator): Promise<Client> {
  const client = await operator.temporal();
  await isTemporalReachable(client, CONNECT_MS).catch((error: Error) => {
    throw new OperatorError(
      `Temporal cannot be reached at ${operator.config.temporal.address}, so nothing was done. ${refusalReason(error) ?? error.message}`,
    );
  });
  return client;
}

/** Reports a timeout or a lost connection in one sentence, and then what may still come of the call. */
export async function withTemporal<T>(
  operator: Operator,
  deadlineMs: number,
  work: (client: Client) => Promise<T>,
  outlook = 'Try again.',
): Promise<T> {
  const client = await connectToTemporal(operator);
  try {
    return await client.withDeadline(Date.now() + deadlineMs, () => work(client));
  } catch (error) {
    throw toOperatorError(error, operator.config.temporal.address, { deadlineMs, outlook });
  }
}

function toOperatorError(
  error: unknown,
  address: string,
  { deadlineMs, outlook }: { deadlineMs: number; outlook: string },
): unknown {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error)) {
    const noAnswer = `Temporal gave no answer within ${deadlineMs / 1000} s.`;
    return new OperatorError(`${noAnswer} Is a worker running? ${outlook}`);
  }
  if (!hasGrpcStatus(error, [status.UNAVAILABLE])) return error;
  return new OperatorError(`The connection to Temporal at ${address} was lost. ${outlook}`);
}
