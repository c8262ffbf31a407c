/** Every error of the interface: one class, one table (Errors). */
const table = {
  BAD_REQUEST: 400,
  DNCR_TOO_MANY_NUMBERS: 400,
  UNAUTHORIZED: 401,
  OAUTH_TOKEN_EXPIRED: 401,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  DNCR_UPSTREAM_ERROR: 502,
  DNCR_NOT_CONFIGURED: 503,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof table;
export const errorCodes = Object.keys(table) as ErrorCode[];

export function statusOf(code: ErrorCode): number {
  return table[code];
}

export interface ErrorExtras {
  /** One text per failing field or parameter, each beginning with its path; on 422 only. */
  errors?: string[];
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** An error response. Integrators read its message, so it holds no personal data. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly extras: ErrorExtras;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message);
    this.code = code;
    this.extras = extras;
  }

  get statusCode(): number {
    return statusOf(this.code);
  }
}

export function validationError(errors: string[]): ApiError {
  return new ApiError('VALIDATION_ERROR', 'Validation failed', { errors });
}

export function notFound(what: string): ApiError {
  return new ApiError('NOT_FOUND', `${what} was not found.`);
}
