import { Context } from '@temporalio/activity';

/**
 * Aborts when the worker stops. A delivery that is cancelled lets its open call end, so that what came of
 * it is recorded and nothing arrives twice.
 */
export function shutdownSignal(): AbortSignal {
  const context = Context.current();
  const { cancellationSignal } = context;
  const shutdown = new AbortController();
  const onCancel = () => {
    if (context.cancellationDetails?.workerShutdown) shutdown.abort(cancellationSignal.reason);
  };
  if (cancellationSignal.aborted) onCancel();
  else cancellationSignal.addEventListener('abort', onCancel, { once: true });
  return shutdown.signal;
}
