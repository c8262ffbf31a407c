import type { status } from '@grpc/grpc-js';
import { isGrpcServiceError } from '@temporalio/client';

/** The SDK wraps some of the server's errors, so the error's cause counts as well. */
export function hasGrpcStatus(error: unknown, codes: readonly status[]): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((each) => isGrpcServiceError(each) && codes.includes(each.code));
}
