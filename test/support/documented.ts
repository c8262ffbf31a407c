import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../api/openapi/document.ts';
import { routes } from '../../api/routes/index.ts';

export const document = openApiDocument(routes);

const NAME = 'openapi.json';
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (to: Ajv2020) => void)(ajv);
ajv.addSchema(document, NAME);

const compiled = new Map<string, ValidateFunction>();

/** Throws with every fault where `value` is not what the document has at `pointer`. */
export function expectSchema(pointer: string, value: unknown, what: string): void {
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${NAME}#${pointer}` });
  compiled.set(pointer, validate);
  if (validate(value)) return;
  throw new Error(`${what} is not as documented:\n${ajv.errorsText(validate.errors)}`);
}

export interface Documentable {
  method: string;
  /** Below `/v2`, with its query. */
  path: string;
  status: number;
  body: unknown;
}

/** Holds an answer of the service to the document: its status and its body. */
export function expectDocumented({ method, path, status, body }: Documentable): void {
  const what = `${method} ${path.split('?')[0]} ${status}`;
  const operation = operationAt(method, path);
  if (!operation) {
    if (status >= 400) expectSchema('/components/schemas/Error', body, what);
    return;
  }
  const response = operation.responses[String(status)];
  if (!response) throw new Error(`${what} is not documented: ${JSON.stringify(body)}`);
  if (!response.content) return;
  const at = [operation.pointer, 'responses', String(status), 'content', 'application~1json'];
  expectSchema([...at, 'schema'].join('/'), body, what);
}

interface Operation {
  pointer: string;
  responses: Record<string, { content?: unknown } | undefined>;
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
