import type { CallError } from '../../domain/webhooks/outcome.ts';

/** Webhooks may not go to the address: nothing was sent, nothing was connected. */
export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
}

const ERROR_BY_CODE: Record<string, CallError> = {
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ENODATA: 'name_not_found',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  ETIMEDOUT: 'timeout',
};

/** The message of the error is never kept: it may quote the request. */
export function toCallError(error: unknown): CallError {
  if (error instanceof ForbiddenAddress) return 'forbidden_address';
  const code = codeOf(error);
  if (ERROR_BY_CODE[code]) return ERROR_BY_CODE[code];
  if (code.startsWith('HPE_')) return 'bad_answer';
  if (/^(ERR_(TLS|SSL)|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code)) return 'tls';
  return 'unreachable';
}

/** The addresses of a name are tried in turn, and their errors arrive as one AggregateError. */
function codeOf(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return (first as { code?: string } | undefined)?.code ?? '';
}
