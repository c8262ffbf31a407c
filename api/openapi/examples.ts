import type { Document } from './plain-schema.ts';
import { sampleParameters, sampleRecords, sampleValues } from './sample-values.ts';

/** JSON Schema as far as zod writes it. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
}

interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: unknown;
}

interface Operation {
  parameters?: { name: string; schema: Schema & { examples?: unknown[] } }[];
  responses?: Record<string, { content?: Record<string, Media> }>;
}

/** Adds an example to every parameter, and to every response whose route has none of its own. */
export function addExamples(document: Document): Document {
  const components = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const operations = operationsOf(document);
  for (const { name, schema } of operations.flatMap(({ parameters = [] }) => parameters))
    schema.examples = [sampleParameters[name]];
  for (const media of responseMedia(operations)) {
    if (media.schema === undefined || 'example' in media || 'examples' in media) continue;
    media.example = buildExample(media.schema, components);
  }
  return document;
}

function operationsOf({ paths = {} }: Document): Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item) as Operation[]);
}

function responseMedia(operations: readonly Operation[]): Media[] {
  return operations
    .flatMap(({ responses = {} }) => Object.values(responses))
    .flatMap(({ content = {} }) => Object.values(content));
}

/** An example built from the schema; a property whose name has a sample value gets that one. */
function buildExample(schema: Schema, components: Record<string, Schema>, name = ''): unknown {
  if (Object.hasOwn(sampleValues, name)) return sampleValues[name];
  if (schema.$ref) return buildComponent(schema.$ref.split('/').at(-1) ?? '', components);
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  const choice = choices.find((one) => one.type !== 'null');
  if (choice) return buildExample(choice, components, name);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  return buildExampleOfType(schema, components, name);
}

function buildComponent(id: string, components: Record<string, Schema>): unknown {
  const built = buildExample(components[id] ?? {}, components);
  const sample = sampleRecords[id];
  return sample ? { ...(built as object), ...sample } : built;
}

function buildExampleOfType(schema: Schema, components: Record<string, Schema>, name: string) {
  switch ([schema.type].flat()[0]) {
    case 'object': {
      const properties = Object.entries(schema.properties ?? {}).filter(([key]) =>
        schema.required?.includes(key),
      );
      return Object.fromEntries(
        properties.map(([key, value]) => [key, buildExample(value, components, key)]),
      );
    }
    case 'array':
      return [buildExample(schema.items ?? {}, components, name.replace(/s$/, ''))];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return false;
    case 'string':
      if (schema.type !== 'string') return null;
      return exampleTexts[schema.format ?? ''] ?? 'text';
    default:
      return {};
  }
}

const exampleTexts: Readonly<Record<string, string>> = {
  uuid: '0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01',
  'date-time': '2026-09-20T08:15:30.000Z',
};
