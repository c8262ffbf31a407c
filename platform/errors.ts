/**
 * What a log may contain of an error: its name, its code and the stack without the message. A message may
 * quote the data that was being processed, such as Postgres's the row that broke a constraint.
 */
export function toLogError(error: unknown) {
  const { name, stack } = (error ?? {}) as Partial<Error>;
  const frames = stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: name ?? typeof error,
    code: errorCode(error),
    stack: frames?.slice(0, 12).join('\n'),
  };
}

export function errorCode(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '');
}

/** Codes of Node and Postgres for a database that cannot be reached, or cannot serve, for the moment. */
const CONNECTION_CODES = [
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|EAI_AGAIN)$/,
  // The connection failed; the server stops or starts, has no connection left, or became a standby.
  /^(08000|08001|08003|08004|08006|57P01|57P02|57P03|53300|25006)$/,
  // idle_in_transaction_session_timeout; deadlocks and timeouts, after which a retry is right.
  /^(25P03|40P01|40001|55P03|57014)$/,
];

/** Errors of the driver that have no code. */
const CONNECTION_MESSAGE =
  /connection (terminated|timeout)|timeout exceeded when trying to connect|query read timeout|cannot use a pool|client has encountered a connection error|not queryable/i;

export function isConnectionError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { message, cause } = error as Partial<Error>;
  return (
    CONNECTION_CODES.some((codes) => codes.test(errorCode(error))) ||
    CONNECTION_MESSAGE.test(String(message)) ||
    isConnectionError(cause)
  );
}
