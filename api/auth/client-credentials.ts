import { ApiError, type OAuthError } from '../errors.ts';

interface ClientCredentials {
  clientId: string;
  secret: string;
}

interface SentCredentials {
  grant_type?: unknown;
  client_id?: unknown;
  client_secret?: unknown;
}

/** Invalid or repeated credentials (RFC 6749, 2.3.1) become unknown ones, so that the response takes the same time. */
export function readCredentials(
  authorization: readonly string[],
  body: SentCredentials,
): ClientCredentials {
  const { client_id: sentId, grant_type: grant } = body;
  const isNamed = typeof sentId === 'string' && grant === 'client_credentials';
  if (findIssue(authorization, body)) return { clientId: isNamed ? sentId : '', secret: '' };
  const { client_id: clientId = '', client_secret: secret = '' } = body as Record<string, string>;
  return parseBasic(authorization[0] ?? '') ?? { clientId, secret };
}

export function refusedRequest(authorization: readonly string[], body: SentCredentials): ApiError {
  const { clientId, secret } = readCredentials(authorization, body);
  const hint = [clientId, secret].some((text) => text !== text.trim()) ? BLANKS : '';
  const wrong = [`The client credentials are not valid.${hint}`, 'invalid_client'] as const;
  const [message, oauthError = 'invalid_request'] = findIssue(authorization, body) ?? wrong;
  const headers = { 'WWW-Authenticate': 'Basic realm="lead-intake"' };
  return new ApiError('UNAUTHORIZED', message, { oauthError, headers });
}

/** Such as the line feed at the end of a file. */
const BLANKS = ' White space was sent before or after the client id or the secret.';

function findIssue(
  authorization: readonly string[],
  body: SentCredentials,
): [message: string, error?: OAuthError] | null {
  const { grant_type: grant } = body;
  const isBasic = authorization.some((header) => /^basic( |$)/i.test(header));
  if (authorization.length > 1) return ['The Authorization header was sent more than once.'];
  if (!isBasic && FIELDS.every((name) => isOmitted(body[name])))
    return [`The body holds none of ${FIELDS.join(', ')}.`];
  if (isOmitted(grant)) return ['grant_type is missing: send client_credentials.'];
  if (grant !== 'client_credentials')
    return ['grant_type must be client_credentials.', 'unsupported_grant_type'];
  const issue = isBasic ? basicIssue(authorization, body) : bodyIssue(body);
  return issue === null ? null : [issue];
}

const FIELDS = ['grant_type', 'client_id', 'client_secret'] as const;

function basicIssue([header = '']: readonly string[], body: SentCredentials): string | null {
  const basic = parseBasic(header);
  if (!basic)
    return 'The Authorization header must be `Basic` and the base64 of `<client_id>:<client_secret>`.';
  if (!isOmitted(body.client_secret))
    return 'The credentials are in the Authorization header and in the body: send them in one place.';
  const isOther = !isOmitted(body.client_id) && body.client_id !== basic.clientId;
  return isOther ? 'client_id is not that of the Authorization header.' : null;
}

function bodyIssue(body: SentCredentials): string | null {
  const [, ...names] = FIELDS;
  const missing = names.filter((name) => isOmitted(body[name]));
  if (missing.length > 0)
    return `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing.`;
  const wrong = names.find((name) => typeof body[name] !== 'string');
  return wrong ? `${wrong} must be one text.` : null;
}

/** RFC 6749, 3.2 */
const isOmitted = (value: unknown) => value === undefined || value === null || value === '';

function parseBasic(header: string): ClientCredentials | null {
  const [, sent = ''] = /^basic +(\S+) *$/i.exec(header) ?? [];
  const bytes = Buffer.from(sent, 'base64');
  if (bytes.toString('base64') !== sent) return null;
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(bytes.toString('utf8')) ?? [];
  if (id === undefined || secret === undefined) return null;
  const [clientId, decoded] = [formDecode(id), formDecode(secret)];
  return clientId !== null && decoded !== null ? { clientId, secret: decoded } : null;
}

/** Ids and secrets contain neither `%` nor `+`, so that libraries that do not encode them send the same. */
function formDecode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\u0000') ? null : decoded;
  } catch {
    return null;
  }
}
