import type { CallError } from '../../domain/webhooks/outcome.ts';

/** The address is not one that webhooks may go to: nothing was sent, nothing was connected. */
export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
}

const byCode: Record<string, CallError> = {
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ENODATA: 'name_not_found',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  ETIMEDOUT: 'timeout',
};

/** Names the error of a call; its message is never kept, since it may hold more than we know. */
export function errorOf(error: unknown): CallError {
  if (error instanceof ForbiddenAddress) return 'forbidden_address';
  const code = codeOf(error);
  if (byCode[code]) return byCode[code];
  if (code.startsWith('HPE_')) return 'bad_answer';
  if (/^(ERR_(TLS|SSL)|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code)) return 'tls';
  return 'unreachable';
}

/** Several addresses that were tried one after the other fail together. */
function codeOf(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return (first as { code?: string } | undefined)?.code ?? '';
}
