import type { Schema } from '../../api/openapi/example-of.ts';

/** The TypeScript type of what a JSON Schema describes, as text. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map(typeOf));
  return union([schema.type ?? 'any'].flat().map((type) => typeOfKind(type, schema)));
}

function typeOfKind(type: string, schema: Schema): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(([name, value]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${commentOf(value)}${JSON.stringify(name)}${mark}: ${typeOf(value)};`;
  });
  const others = openEnd(additionalProperties, members.length > 0);
  if (members.length + others.length === 0) return 'Record<string, unknown>';
  return `{ ${[...members, ...others].join('\n')} }`;
}

/** Named members must fit the index signature, so beside them it can only be `unknown`. */
function openEnd(rest: Schema | boolean | undefined, hasMembers: boolean): string[] {
  if (typeof rest !== 'object') return [];
  return [`[name: string]: ${hasMembers ? 'unknown' : typeOf(rest)};`];
}

function commentOf({ description }: Schema): string {
  return description ? `/** ${description.replaceAll('*/', '')} */\n` : '';
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never';
}
