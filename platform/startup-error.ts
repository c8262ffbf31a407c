import { isGrpcServiceError } from '@temporalio/client';
import { ConfigurationError } from './config.ts';
import { toLogError, errorCode, isConnectionError, READ_ONLY } from './errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  '28000': 'Postgres refuses the user of DATABASE_URL.',
  '28P01': 'Postgres refuses the user or the password of DATABASE_URL.',
  '3D000': 'The database of DATABASE_URL does not exist.',
  '42501': 'The user of DATABASE_URL has no right to its tables: run npm run migrate first.',
  '42P01': 'A table is missing: run npm run migrate first.',
  '42703': 'A column is missing: run npm run migrate first.',
};

/** Matches the messages of Postgres, OpenSSL and both Temporal clients. */
const TLS_ERRORS: readonly { pattern: RegExp; what: string; postgres: string; temporal: string }[] =
  [
    {
      pattern: /UnknownIssuer|unable to (verify|get)|self.signed/i,
      what: 'shows a certificate of an unknown CA',
      postgres: 'sslrootcert in DATABASE_URL',
      temporal: 'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
    },
    {
      pattern: /NotValidForName|altnames/,
      what: 'shows a certificate for another name',
      postgres: 'the host in DATABASE_URL',
      temporal: 'TEMPORAL_TLS_SERVER_NAME',
    },
    {
      pattern: /InvalidContentType|wrong version number|not support SSL|no encryption/,
      what: 'and this process do not agree on TLS',
      postgres: 'sslmode in DATABASE_URL',
      temporal: 'TEMPORAL_TLS',
    },
  ];

const REFUSED = {
  pattern: /client certificate|SSL alert|fatal alert|close_notify|broken pipe|Failed to connect \(/,
  what: 'wants another client certificate, or TLS',
  postgres: 'sslmode, sslcert and sslkey in DATABASE_URL',
  temporal: 'TEMPORAL_TLS, TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH',
};
const OR_PROFILE = ' (or the profile)';
/** The server closed the connection before the client read its alert. */
const RESET = /ConnectionReset|ECONNRESET|connection closed|Connection dropped/;
const UNAUTHORIZED =
  /UNAUTHENTICATED|PERMISSION_DENIED|valid authentication credentials|caller does not have permission/;
const NO_RIGHT = `Temporal gives this client no right to the namespace: check TEMPORAL_API_KEY and TEMPORAL_NAMESPACE${OR_PROFILE}.`;

const DISK_FULL = '53100';

const READ_ONLY_REASON =
  'The database is read-only: let DATABASE_URL name the primary, free its storage if that is full, or set default_transaction_read_only = off for its user.';

/** Explains a refused connection, or a Postgres that accepts no writes. */
export function refusalReason(error: unknown): string | undefined {
  if (errorCode(error) === DISK_FULL) return 'The disk of Postgres is full: free some space there.';
  if (errorCode(error) === READ_ONLY) return READ_ONLY_REASON;
  const { name, message = '' } = (error ?? {}) as Partial<Error>;
  const isTemporal = isGrpcServiceError(error) || name === 'TransportError';
  if (isTemporal && UNAUTHORIZED.test(message)) return NO_RIGHT;
  const isReset = isTemporal && RESET.test(message);
  const found = isReset
    ? REFUSED
    : [...TLS_ERRORS, REFUSED].find(({ pattern }) => pattern.test(message));
  if (!found) return undefined;
  return isTemporal
    ? `Temporal ${found.what}: check ${found.temporal}${OR_PROFILE}.`
    : `The Postgres at DATABASE_URL ${found.what}: check ${found.postgres}.`;
}

export function formatStartupError(what: string, error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  return `${what} ${startupReason(error) ?? JSON.stringify(toLogError(error))}`;
}

/** Undefined for an unknown error. */
export function startupReason(error: unknown): string | undefined {
  const code = errorCode(error);
  const reason = refusalReason(error);
  if (reason) return reason;
  const { port, path, syscall } = (error ?? {}) as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken: set PORT, OPS_PORT or WORKER_OPS_PORT, whichever it is, to another one.`;
  if (syscall === 'open') return `${path} cannot be read: ${code}.`;
  if (isGrpcServiceError(error)) return `Temporal answers: ${error.details}`;
  if ((error as Error | null)?.name === 'TransportError')
    return `Temporal cannot be reached: check TEMPORAL_ADDRESS${OR_PROFILE}.`;
  if (isConnectionError(error)) return `The Postgres at DATABASE_URL ${connectionFailure(error)}.`;
  return REASONS[code];
}

function connectionFailure(error: unknown): string {
  const code = errorCode(error);
  if (code) return `cannot be reached: ${code}`;
  return /timeout/.test(String(error)) ? 'gave no answer in time' : 'closed the connection';
}
