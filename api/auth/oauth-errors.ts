import type { ApiError, ErrorCode, OAuthError } from '../errors.ts';

/** Of the token endpoint, below `/v2`. */
export const TOKEN_PATH = '/oauth2/token';

const BY_CODE: Partial<Record<ErrorCode, OAuthError>> = {
  UNAUTHORIZED: 'invalid_client',
  RATE_LIMITED: 'temporarily_unavailable',
  SERVICE_UNAVAILABLE: 'temporarily_unavailable',
  INTERNAL_ERROR: 'server_error',
};

/** What OAuth libraries look for in an error of the token endpoint: without `error` some take it for a token. */
export function oauthFields({ code, message, extras }: ApiError) {
  return {
    error: extras.oauthError ?? BY_CODE[code] ?? 'invalid_request',
    error_description: [message, ...(extras.errors ?? [])].join('; ').replace(NOT_ALLOWED, '?'),
  };
}

/** The characters that RFC 6749 has in a description. */
const NOT_ALLOWED = /[^ !#-[\]-~]/g;
