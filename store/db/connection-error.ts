/** Codes of Node and Postgres that mean: the database is not there, or not for us, for the moment. */
const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  // A server that ends or starts, that has no room, or that became a standby.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '25006',
  // A transaction that said nothing for too long.
  '25P03',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  // A wait that was given up: trying again is right.
  '40P01',
  '40001',
  '55P03',
  '57014',
]);

/** The driver has no code for these. */
const MESSAGE =
  /connection (terminated|timeout)|timeout exceeded when trying to connect|query read timeout|cannot use a pool|client has encountered a connection error|not queryable/i;

interface Fault {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
}

export function isConnectionFault(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, cause } = error as Fault;
  return CODES.has(String(code)) || MESSAGE.test(String(message)) || isConnectionFault(cause);
}
