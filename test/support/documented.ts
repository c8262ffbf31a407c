import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { INTERFACE_REVISION, openApiDocument } from '../../api/openapi/document.ts';
import { webhooksDocument } from '../../api/openapi/webhooks.ts';
import { routes } from '../../api/routes/index.ts';

export const document = openApiDocument(routes);

/** The document promises that fields may be added; a test must see those that it does not name. */
function closeObjects(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(closeObjects);
  const closed = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, closeObjects(each)]),
  );
  if (closed.type === 'object' && closed.properties && !('additionalProperties' in closed))
    closed.additionalProperties = false;
  return closed;
}

const NAME = 'openapi.json';
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (to: Ajv2020) => void)(ajv);
ajv.addSchema(closeObjects(document) as object, NAME);
ajv.addSchema(closeObjects(webhooksDocument(INTERFACE_REVISION)) as object, 'webhooks.json');

const compiled = new Map<string, ValidateFunction>();

function validatorAt(pointer: string): ValidateFunction {
  const validate =
    compiled.get(pointer) ??
    ajv.compile({ $ref: pointer.includes('#') ? pointer : `${NAME}#${pointer}` });
  compiled.set(pointer, validate);
  return validate;
}

export function isDocumented(pointer: string, value: unknown): boolean {
  return validatorAt(pointer)(value) === true;
}

/** Throws with every error where `value` is not what the document has at `pointer`. */
export function expectSchema(pointer: string, value: unknown, what: string): void {
  const validate = validatorAt(pointer);
  if (validate(value)) return;
  throw new Error(`${what} is not as documented:\n${ajv.errorsText(validate.errors)}`);
}

export interface Documentable {
  method: string;
  /** Below `/v2`, with its query. */
  path: string;
  status: number;
  headers: Headers;
  body: unknown;
}

/** Holds an answer of the service to the document: its status, its headers and its body. */
export function expectDocumented(answer: Documentable): void {
  const { method, path, status, headers, body } = answer;
  const what = `${method} ${path.split('?')[0]} ${status}`;
  expectHeaders(answer, what);
  expectPlainTexts(answer, what);
  const operation = operationAt(method === 'HEAD' ? 'GET' : method, path);
  if (!operation) return expectUndocumentedPath(answer, what);
  const response = operation.responses[String(status)];
  if (!response) throw new Error(`${what} is not documented: ${JSON.stringify(body)}`);
  expectDocumentedHeaders(response, headers, what);
  if (!response.content || method === 'HEAD') return;
  const at = [operation.pointer, 'responses', String(status), 'content', 'application~1json'];
  expectSchema([...at, 'schema'].join('/'), body, what);
}

const NOT_IN_THE_DOCUMENT = ['/openapi.json', '/openapi-webhooks.json', '/docs'];

/** Holds the body of an error to the envelope of its path, which is below `/v2`. */
export function expectErrorEnvelope(path: string, body: unknown, what: string): void {
  const name = path.split('?')[0] === '/oauth2/token' ? 'TokenError' : 'ErrorEnvelope';
  expectSchema(`/components/schemas/${name}`, body, what);
}

function expectUndocumentedPath({ path, status, body }: Documentable, what: string): void {
  if (status >= 400) return expectErrorEnvelope(path, body, what);
  if (!NOT_IN_THE_DOCUMENT.includes(path)) throw new Error(`${what} is not documented`);
}

/** What holds for the answers of all endpoints. */
function expectHeaders({ path, status, headers, body }: Documentable, what: string): void {
  const needed: Record<string, RegExp> = {
    'x-request-id': /^[\w.-]{1,64}$/,
    'x-content-type-options': /^nosniff$/,
    'cache-control': /^(no-store|private, max-age=86400)$/,
    ...(body === null ? {} : { 'content-type': /^application\/json; charset=utf-8$/ }),
    ...(status === 401 ? { 'www-authenticate': challengeOf(path) } : {}),
    ...(status === 405 ? { allow: /^[A-Z]+(, [A-Z]+)*$/ } : {}),
    ...(status === 429 ? Object.fromEntries(LIMITS.map((name) => [name, /^\d+$/])) : {}),
  };
  for (const [name, pattern] of Object.entries(needed)) {
    if (!pattern.test(headers.get(name) ?? ''))
      throw new Error(`${what}: ${name} is not ${pattern}`);
  }
  const others = ['access-control-allow-origin', 'server', 'x-powered-by'];
  const sent = others.filter((name) => headers.has(name));
  if (sent.length > 0) throw new Error(`${what}: ${sent.join(', ')} should not be sent`);
}

/** An error names its request, and each text of a 422 says in plain words what is wrong where. */
function expectPlainTexts({ status, headers, body }: Documentable, what: string): void {
  if (status < 400 || body === null) return;
  const { requestId, errors = [] } = body as { requestId?: string; errors?: string[] };
  if (requestId !== headers.get('x-request-id')) throw new Error(`${what}: requestId ${requestId}`);
  const odd = errors.find((text) => !/^.*: (must|is|has|holds|contradicts) /s.test(text));
  if (odd !== undefined) throw new Error(`${what}: ${odd}`);
}

function challengeOf(path: string): RegExp {
  return path.startsWith('/oauth2/token') ? /^(Bearer|Basic realm="lead-intake")$/ : /^Bearer$/;
}

const LIMITS = ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
/** The error itself may stand before the count. */
const PERHAPS_UNCOUNTED = /(500|503)$/;

/** A header of limits is sent just where the document has it. */
function expectDocumentedHeaders(response: Response, headers: Headers, what: string): void {
  const documented = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
  const undocumented = LIMITS.filter((name) => headers.has(name) && !documented.has(name));
  if (undocumented.length > 0) throw new Error(`${what}: ${undocumented.join()} not documented`);
  if (PERHAPS_UNCOUNTED.test(what)) return;
  const absent = LIMITS.filter((name) => documented.has(name) && !headers.has(name));
  if (absent.length > 0) throw new Error(`${what}: ${absent.join()} not sent`);
}

interface Response {
  content?: unknown;
  headers?: Record<string, unknown>;
}

interface Operation {
  pointer: string;
  responses: Record<string, Response | undefined>;
}

function operationAt(method: string, path: string): Operation | null {
  const template = templateOf(path.split('?')[0] ?? '');
  const verb = method.toLowerCase();
  const operations = template ? document.paths?.[template] : undefined;
  const found = operations?.[verb as 'get'];
  if (!template || !found) return null;
  const pointer = `/paths/${template.replaceAll('~', '~0').replaceAll('/', '~1')}/${verb}`;
  return { pointer: encodeURI(pointer), responses: found.responses as Operation['responses'] };
}

/** The fixed path wins over the one with a parameter. */
function templateOf(path: string): string | undefined {
  const templates = Object.keys(document.paths ?? {});
  return templates.includes(path)
    ? path
    : templates.find((template) => patternOf(template).test(path));
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
}
