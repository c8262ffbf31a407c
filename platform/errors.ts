/** Leaves out the message, which may quote data, such as Postgres's the row that broke a constraint. */
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
  // The connection failed; the server stops or starts, has a full disk or no connection left, or became a standby.
  /^(08000|08001|08003|08004|08006|57P01|57P02|57P03|53100|53300|25006)$/,
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

/** Whether a statement names a table or a column that Postgres does not have: migrations are still to be run. */
export function isSchemaError(error: unknown): boolean {
  return /^(42P01|42703)$/.test(errorCode(error));
}

export const LOCK_NOT_AVAILABLE = '55P03';

/** Postgres's code of a write in a database that takes none. */
export const READ_ONLY = '25006';

/** What happened, of errors whose text quotes nobody, by their code. */
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

/** What happened, where it is known without the error's own message; null for any other error. */
export function knownCause(error: unknown): string | null {
  const message = String((error as Partial<Error> | null)?.message);
  const byMessage = BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1];
  const known = byMessage ?? BY_CODE[errorCode(error)];
  return known ?? (isConnectionError(error) ? 'the connection to Postgres failed' : null);
}
