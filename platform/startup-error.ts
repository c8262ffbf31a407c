import { isGrpcServiceError } from '@temporalio/client';
import { ConfigurationError } from './config.ts';
import { toLogError, errorCode, isConnectionError } from './errors.ts';

/** By the codes of Node and Postgres. */
const REASONS: Readonly<Record<string, string>> = {
  '28000': 'Postgres refuses the user of DATABASE_URL.',
  '28P01': 'Postgres refuses the user or the password of DATABASE_URL.',
  '3D000': 'The database of DATABASE_URL does not exist.',
  '42501': 'The user of DATABASE_URL has no right to its tables: run npm run migrate first.',
  '42P01': 'A table is missing: run npm run migrate first.',
  '42703': 'A column is missing: run npm run migrate first.',
};

/** By the texts of Postgres, of OpenSSL and of both of Temporal's clients: what fails, and where to set it right. */
const TLS_ERRORS: readonly { pattern: RegExp; what: string; postgres: string; temporal: string }[] =
  [
    {
      pattern: /UnknownIssuer|unable to (verify|get)|self.signed/i,
      what: 'shows a certificate of an unknown CA',
      postgres: 'sslrootcert in DATABASE_URL',
      temporal: 'TEMPORAL_TLS_CA_FILE',
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
  temporal: 'TEMPORAL_TLS, TEMPORAL_TLS_CERT_FILE and TEMPORAL_TLS_KEY_FILE',
};
/** What is left of a refusal where the connection was closed before its alert was read. */
const RESET = /ConnectionReset|ECONNRESET|connection closed|Connection dropped/;

/** A sentence on a TLS connection that Postgres or Temporal, or this process, refuses. */
export function tlsReason(error: unknown): string | undefined {
  const { name, message = '' } = (error ?? {}) as Partial<Error>;
  const isTemporal = isGrpcServiceError(error) || name === 'TransportError';
  const isReset = isTemporal && RESET.test(message);
  const found = isReset
    ? REFUSED
    : [...TLS_ERRORS, REFUSED].find(({ pattern }) => pattern.test(message));
  if (!found) return undefined;
  const [service, setting] = isTemporal
    ? ['Temporal at TEMPORAL_ADDRESS', found.temporal]
    : ['The Postgres at DATABASE_URL', found.postgres];
  return `${service} ${found.what}: check ${setting}.`;
}

/** Why a process could not start: a sentence for a known reason, else what a log may contain. */
export function formatStartupError(what: string, error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  return `${what} ${reasonOf(error) ?? JSON.stringify(toLogError(error))}`;
}

function reasonOf(error: unknown): string | undefined {
  const code = errorCode(error);
  const reason = tlsReason(error);
  if (reason) return reason;
  const { port, path, syscall } = (error ?? {}) as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `Port ${port} is taken.`;
  if (syscall === 'open') return `${path} cannot be read: ${code}.`;
  if (isGrpcServiceError(error)) return `Temporal at TEMPORAL_ADDRESS answers: ${error.details}`;
  if ((error as Error | null)?.name === 'TransportError')
    return 'Temporal at TEMPORAL_ADDRESS cannot be reached.';
  if (isConnectionError(error)) return `The Postgres at DATABASE_URL cannot be reached: ${code}.`;
  return REASONS[code];
}
