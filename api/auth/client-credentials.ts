export interface ClientCredentials {
  clientId: string;
  secret: string;
}

/** Of a token request, as sent. */
export interface SentCredentials {
  grant_type?: unknown;
  client_id?: unknown;
  client_secret?: unknown;
}

/** No client has them. */
const NONE: ClientCredentials = { clientId: '', secret: '' };

/**
 * The credentials of the `Authorization: Basic` header or of the body (RFC 6749, 2.3.1). What is missing, malformed
 * or sent both ways becomes credentials that no client has, so that the response comes in the same time.
 */
export function readCredentials(
  authorization: readonly string[],
  body: SentCredentials,
): ClientCredentials {
  if (authorization.length > 1) return NONE;
  const [header = ''] = authorization;
  const sent = usesBasic(authorization) ? readBoth(header, body) : readBody(body);
  return body.grant_type === 'client_credentials' ? sent : { ...sent, clientId: '' };
}

/** Then a 401 has to name the scheme (RFC 6749, 5.2). */
export function usesBasic(authorization: readonly string[]): boolean {
  return authorization.some((header) => /^basic( |$)/i.test(header));
}

/** Beside the header the body may name the same client, but holds no secret. */
function readBoth(header: string, { client_id, client_secret }: SentCredentials) {
  const basic = parseBasic(header) ?? NONE;
  const isSameClient = isOmitted(client_id) || client_id === basic.clientId;
  return isSameClient && isOmitted(client_secret) ? basic : { ...basic, secret: '' };
}

function readBody({ client_id, client_secret }: SentCredentials): ClientCredentials {
  return {
    clientId: typeof client_id === 'string' ? client_id : '',
    secret: typeof client_secret === 'string' ? client_secret : '',
  };
}

/** A parameter without a value counts as omitted (RFC 6749, 3.2). */
function isOmitted(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function parseBasic(header: string): ClientCredentials | null {
  const [, sent = ''] = /^basic +(\S+) *$/i.exec(header) ?? [];
  const bytes = Buffer.from(sent, 'base64');
  if (bytes.toString('base64') !== sent) return null;
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(bytes.toString('utf8')) ?? [];
  const [clientId, decoded] = [formDecode(id), formDecode(secret)];
  return clientId !== null && decoded !== null ? { clientId, secret: decoded } : null;
}

/**
 * Many libraries send the halves as they are. That is the same, since our ids and secrets hold neither `%` nor `+`
 * (`publicId` of leadctl, `formatCredential`).
 */
function formDecode(text = ''): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\u0000') ? null : decoded;
  } catch {
    return null;
  }
}
