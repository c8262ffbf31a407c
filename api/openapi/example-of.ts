import { sampleValues } from './sample-values.ts';

/** JSON Schema as far as zod writes it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  description?: string;
}

export type Components = Record<string, Schema>;

/** An example made from the schema itself, with sample values where the name of a property has one. */
export function exampleOf(schema: Schema, components: Components, name = ''): unknown {
  if (Object.hasOwn(sampleValues, name)) return sampleValues[name];
  const known = resolved(schema, components);
  const choice = (known.anyOf ?? known.oneOf ?? []).find((one) => one.type !== 'null');
  if (choice) return exampleOf(choice, components, name);
  if (known.const !== undefined) return known.const;
  if (known.enum) return known.enum[0];
  return ofType(known, components, name);
}

function ofType(schema: Schema, components: Components, name: string): unknown {
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectOf(schema, components);
    case 'array':
      return [exampleOf(schema.items ?? {}, components, singular(name))];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return false;
    case 'string':
      return textOf(schema.format);
    default:
      return {};
  }
}

function objectOf({ properties = {} }: Schema, components: Components): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, exampleOf(value, components, name)]),
  );
}

function textOf(format: string | undefined): string {
  if (format === 'uuid') return '0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01';
  return format === 'date-time' ? '2026-09-20T08:15:30.000Z' : 'text';
}

function resolved(schema: Schema, components: Components): Schema {
  if (schema.$ref === undefined) return schema;
  return components[schema.$ref.split('/').at(-1) ?? ''] ?? {};
}

function singular(name: string): string {
  return name.replace(/s$/, '');
}
