import type { createDocument } from 'zod-openapi';
import { sampleValues } from './sample-values.ts';

export type Document = ReturnType<typeof createDocument>;

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
  minimum?: number;
}

interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: unknown;
}

interface Operation {
  responses?: Record<string, { content?: Record<string, Media> }>;
}

/** Adds an example to every response whose route has none of its own. */
export function addExamples(document: Document): Document {
  const components = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const media of responseMedia(document)) {
    if (media.schema === undefined || 'example' in media || 'examples' in media) continue;
    media.example = buildExample(media.schema, components);
  }
  return document;
}

function responseMedia(document: Document): Media[] {
  return Object.values(document.paths ?? {})
    .flatMap((item) => Object.values(item) as Operation[])
    .flatMap(({ responses = {} }) => Object.values(responses))
    .flatMap(({ content = {} }) => Object.values(content));
}

/** An example built from the schema; a property whose name has a sample value gets that one. */
function buildExample(schema: Schema, components: Record<string, Schema>, name = ''): unknown {
  if (Object.hasOwn(sampleValues, name)) return sampleValues[name];
  const resolved = schema.$ref ? (components[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
  const choices = resolved.anyOf ?? resolved.oneOf ?? [];
  const choice = choices.find((one) => one.type !== 'null');
  if (choice) return buildExample(choice, components, name);
  if (resolved.const !== undefined) return resolved.const;
  if (resolved.enum) return resolved.enum[0];
  return buildExampleOfType(resolved, components, name);
}

function buildExampleOfType(schema: Schema, components: Record<string, Schema>, name: string) {
  switch ([schema.type].flat()[0]) {
    case 'object': {
      const properties = Object.entries(schema.properties ?? {});
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
      return exampleTexts[schema.format ?? ''] ?? 'text';
    default:
      return {};
  }
}

const exampleTexts: Readonly<Record<string, string>> = {
  uuid: '0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01',
  'date-time': '2026-09-20T08:15:30.000Z',
};
