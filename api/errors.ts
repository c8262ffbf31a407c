/** The messages are those of the OpenAPI document (Errors). */
export const errorTable = {
  BAD_REQUEST: [400, 'The request cannot be read, or breaks a rule of the endpoint.'],
  DNCR_TOO_MANY_NUMBERS: [400, 'More than 20 numbers; nothing was checked.'],
  UNAUTHORIZED: [
    401,
    'The credentials or the token are missing, unknown, revoked or switched off.',
  ],
  OAUTH_TOKEN_EXPIRED: [401, 'The token has expired: fetch another and try once more.'],
  NOT_FOUND: [404, 'There is no such record, or it is not for this client to see.'],
  METHOD_NOT_ALLOWED: [405, 'Method not allowed for this path; `Allow` names the allowed ones.'],
  GONE: [410, 'The cursor is older than the events that are kept: go on from the oldest one.'],
  REQUEST_TIMEOUT: [408, 'The request did not arrive in time: send it again.'],
  PAYLOAD_TOO_LARGE: [413, 'The body is larger than 256 KiB.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The body is not JSON in UTF-8, or packed in an unknown encoding.'],
  VALIDATION_ERROR: [422, 'A field or parameter is not valid: never send it again unchanged.'],
  RATE_LIMITED: [429, 'Too many requests: wait for `Retry-After` seconds.'],
  HEADERS_TOO_LARGE: [431, 'The headers are larger than 16 KiB.'],
  INTERNAL_ERROR: [500, 'A fault on our side; retry with backoff.'],
  DNCR_UPSTREAM_ERROR: [502, 'The registry could not be reached; nothing was checked.'],
  DNCR_NOT_CONFIGURED: [503, 'Checks are not enabled on this environment.'],
  SERVICE_UNAVAILABLE: [
    503,
    'Not available for the moment, or too many requests of the client at once: wait for `Retry-After` seconds.',
  ],
} as const;

export type ErrorCode = keyof typeof errorTable;

/** RFC 6749, 5.2; the last two: 4.1.2.1 */
export const oauthErrors = [
  'invalid_request',
  'invalid_client',
  'unsupported_grant_type',
  'server_error',
  'temporarily_unavailable',
] as const;

export type OAuthError = (typeof oauthErrors)[number];

interface ErrorExtras {
  /** One text per failing field or parameter, each beginning with its path; only on 422. */
  errors?: string[];
  details?: Record<string, unknown>;
  oauthError?: OAuthError;
  headers?: Record<string, string>;
}

/** Integrators read the message, so it contains no personal data. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly extras: ErrorExtras;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message);
    this.code = code;
    [this.statusCode] = errorTable[code];
    this.extras = extras;
  }
}

export function tooBusy(message: string, retryAfterSeconds = '1'): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message, {
    headers: { 'Retry-After': retryAfterSeconds },
  });
}

export function notFound(what: string): ApiError {
  return new ApiError('NOT_FOUND', `${what} was not found.`);
}

const BY_CODE: Partial<Record<ErrorCode, OAuthError>> = {
  UNAUTHORIZED: 'invalid_client',
  RATE_LIMITED: 'temporarily_unavailable',
  SERVICE_UNAVAILABLE: 'temporarily_unavailable',
  INTERNAL_ERROR: 'server_error',
};

/** Without `error`, some OAuth libraries take the error for a token. */
export function oauthFields({ code, message, extras }: ApiError) {
  return {
    error: extras.oauthError ?? BY_CODE[code] ?? 'invalid_request',
    error_description: [message, ...(extras.errors ?? [])].join('; ').replace(NOT_ALLOWED, '?'),
  };
}

/** Not allowed in a description by RFC 6749. */
const NOT_ALLOWED = /[^ !#-[\]-~]/g;
