import { isGrpcServiceError } from '@temporalio/client';
import { ConfigurationError } from './config.ts';
import { toLogError, errorCode, isConnectionError } from './errors.ts';

/** By the codes of Node and Postgres. */
const REASONS: Readonly<Record<string, string>> = {
  '28000': 'Postgres refuses the user of DATABASE_URL.',
  '28P01': 'Postgres refuses the user or the password of DATABASE_URL.',
  '3D000': 'The database of DATABASE_URL does not exist.',
  '42P01': 'A table is missing: run npm run migrate first.',
  '42703': 'A column is missing: run npm run migrate first.',
};

/** Why a process could not start: a sentence for a known reason, else what a log may contain. */
export function formatStartupError(what: string, error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  return `${what} ${reasonOf(error) ?? JSON.stringify(toLogError(error))}`;
}

function reasonOf(error: unknown): string | undefined {
  const code = errorCode(error);
  const { port, path, syscall } = (error ?? {}) as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `Port ${port} is taken.`;
  if (syscall === 'open') return `${path} cannot be read: ${code}.`;
  if (isGrpcServiceError(error)) return `Temporal at TEMPORAL_ADDRESS answers: ${error.details}`;
  if ((error as Error | null)?.name === 'TransportError')
    return 'Temporal at TEMPORAL_ADDRESS cannot be reached.';
  if (isConnectionError(error)) return `The Postgres at DATABASE_URL cannot be reached: ${code}.`;
  return REASONS[code];
}
