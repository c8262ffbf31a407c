/** Omits the message, which may quote data such as a rejected row. */
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

/** Codes of Node and Postgres for a database that is temporarily unreachable. */
const CONNECTION_CODES = [
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|EAI_AGAIN)$/,
  // Failed connections. The server stops, starts, has a full disk, has no free connection, or became a standby.
  /^(08000|08001|08003|08004|08006|57P01|57P02|57P03|53100|53300|25006)$/,
  // Timeouts and deadlocks, after which a retry can succeed.
  /^(25P03|40P01|40001|55P03|57014)$/,
];

/** Driver errors without a code. */
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

/** True if migrations are pending. */
export function isSchemaError(error: unknown): boolean {
  return /^(42P01|42703)$/.test(errorCode(error));
}

export const LOCK_NOT_AVAILABLE = '55P03';

export const READ_ONLY = '25006';

/** Descriptions that quote no data. */
const BY_CODE: Readonly<Record<string, string>> = {
  [READ_ONLY]:
    'the database is read-only: use the primary, free its storage if it is full, or set default_transaction_read_only = off',
  '25P03': 'the transaction was idle for too long, and Postgres ended it',
  '40001': 'it conflicts with another transaction',
  '40P01': 'a deadlock with another transaction',
  '53100': 'the disk of Postgres is full',
  '53300': 'Postgres has no connection left',
  [LOCK_NOT_AVAILABLE]: 'a lock was not free in time',
  '57014': 'a statement took longer than its limit',
};

const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/timeout exceeded when trying to connect/i, 'no connection to Postgres was free in time'],
  [/query read timeout/i, 'a statement took longer than its limit'],
];

/** Null for an unknown error. */
export function knownCause(error: unknown): string | null {
  const message = String((error as Partial<Error> | null)?.message);
  const byMessage = BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1];
  const known = byMessage ?? BY_CODE[errorCode(error)];
  return known ?? (isConnectionError(error) ? 'the connection to Postgres failed' : null);
}
