import { isGrpcServiceError } from '@temporalio/client';

const GRPC_NOT_FOUND = 5;
const GRPC_RESOURCE_EXHAUSTED = 8;
const GRPC_FAILED_PRECONDITION = 9;
const GRPC_ABORTED = 10;
const GRPC_UNAVAILABLE = 14;
const COMPLETED_FIRST = 'AcceptedUpdateCompletedWorkflow';

/**
 * Too many Updates were under way, or this one was dropped with those that were too many; or the run takes
 * none while its tasks fail, as on a machine that is far behind.
 */
export function isBusy(error: unknown): boolean {
  return hasCode(error, [GRPC_RESOURCE_EXHAUSTED, GRPC_FAILED_PRECONDITION, GRPC_UNAVAILABLE]);
}

/** The run completed before it could answer. */
export function isRunEnding(error: unknown): boolean {
  return (
    hasCode(error, [GRPC_NOT_FOUND, GRPC_ABORTED]) ||
    withCause(error).some((each) => (each as { type?: string })?.type === COMPLETED_FIRST)
  );
}

function hasCode(error: unknown, codes: readonly number[]): boolean {
  return withCause(error).some((each) => isGrpcServiceError(each) && codes.includes(each.code));
}

function withCause(error: unknown): unknown[] {
  return [error, error instanceof Error ? error.cause : undefined];
}
