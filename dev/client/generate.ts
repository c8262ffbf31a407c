import { format, resolveConfig } from 'prettier';
import { openApiDocument } from '../../api/openapi/document.ts';
import type { Schema } from '../../api/openapi/example-of.ts';
import { routes } from '../../api/routes/index.ts';
import { typeOf } from './schema-type.ts';

/** The types and the table of operations of `generated.ts`, from the OpenAPI document. */
export async function generateClient(file: string): Promise<string> {
  const document = openApiDocument(routes) as unknown as Document;
  const schemas = Object.entries(document.components.schemas);
  const operations = operationsOf(document);
  const text = [
    '// Made from the OpenAPI document by dev/client/main.ts: run it again, do not edit.',
    ...schemas.map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`),
    `export interface Operations { ${operations.map(interfaceOf).join('\n')} }`,
    `export const operations = { ${operations.map(rowOf).join('\n')} } as const;`,
  ].join('\n\n');
  return format(text, { ...(await resolveConfig(file)), parser: 'typescript' });
}

interface Document {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
}
interface Media {
  content?: Record<string, { schema?: Schema }>;
}
interface Operation {
  operationId: string;
  summary: string;
  security: unknown[];
  parameters?: { in: string; name: string; required?: boolean; schema?: Schema }[];
  requestBody?: Media;
  responses: Record<string, Media>;
}
interface Located extends Operation {
  path: string;
  method: string;
}

function operationsOf({ paths }: Document): Located[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, one]) => ({ ...one, path, method: verb.toUpperCase() })),
  );
}

function interfaceOf(operation: Located): string {
  const { operationId, summary } = operation;
  return `/** ${summary}. */
    ${operationId}: { input: ${inputOf(operation)}; answer: ${answerOf(operation)} };`;
}

function inputOf(operation: Located): string {
  const inputs = inputsOf(operation);
  return inputs.length === 0 ? 'Record<string, never>' : `{ ${inputs.join('\n')} }`;
}

function inputsOf({ parameters = [], requestBody }: Located): string[] {
  const group = (place: string) => parameters.filter((one) => one.in === place);
  const [path, query, body] = [group('path'), group('query'), schemaOf(requestBody)];
  return [
    ...(path.length > 0 ? [`path: ${parametersType(path)};`] : []),
    ...(query.length > 0 ? [`query?: ${parametersType(query)};`] : []),
    ...(body ? [`body: ${typeOf(body)};`] : []),
  ];
}

function parametersType(parameters: NonNullable<Operation['parameters']>): string {
  const members = parameters.map(
    ({ name, required, schema }) => `${name}${required ? '' : '?'}: ${typeOf(schema ?? {})};`,
  );
  return `{ ${members.join(' ')} }`;
}

function answerOf({ responses }: Located): string {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  return typeOf(schemaOf(success?.[1]) ?? {});
}

function schemaOf(media: Media | undefined): Schema | undefined {
  return media?.content?.['application/json']?.schema;
}

function rowOf({ operationId, method, path }: Located): string {
  return `${operationId}: { method: '${method}', path: '${path}' },`;
}
