import type { Client } from '@temporalio/client';
import { OperatorError, type Operator } from './operator.ts';

// Temporal's client takes most of the time that a command takes: only a command that connects loads it.

const CONNECT_MS = 30_000;

/** A client that has connected. Fails with one sentence, before anything is done, when Temporal cannot be reached. */
export async function connectToTemporal(
  operator: Operator,
  withinMs = CONNECT_MS,
): Promise<Client> {
  const client = await operator.temporal();
  const { isTemporalReachable } = await import('../temporal/connection.ts');
  await isTemporalReachable(client, withinMs).catch(async (error: Error) => {
    const { refusalReason } = await import('../platform/startup-error.ts');
    const reason = refusalReason(error);
    throw new OperatorError(
      `Temporal cannot be reached at ${operator.config.temporal.address}, so nothing was done.${reason ? ` ${reason}` : ''}`,
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
  const client = await connectToTemporal(operator, deadlineMs);
  try {
    return await client.withDeadline(Date.now() + deadlineMs, () => work(client));
  } catch (error) {
    throw await toOperatorError(error, operator.config.temporal.address, { deadlineMs, outlook });
  }
}

async function toOperatorError(
  error: unknown,
  address: string,
  { deadlineMs, outlook }: { deadlineMs: number; outlook: string },
): Promise<unknown> {
  const { status } = await import('@grpc/grpc-js');
  const { hasGrpcStatus } = await import('../temporal/connection.ts');
  const { isGrpcDeadlineError, WorkflowUpdateRPCTimeoutOrCancelledError } =
    await import('@temporalio/client');
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error)) {
    const noAnswer = `Temporal gave no answer within ${deadlineMs / 1000} s.`;
    return new OperatorError(`${noAnswer} Is a worker running? ${outlook}`);
  }
  if (!hasGrpcStatus(error, [status.UNAVAILABLE])) return error;
  return new OperatorError(`The connection to Temporal at ${address} was lost. ${outlook}`);
}
