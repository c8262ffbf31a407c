import * as z from 'zod';
import { sectionNames, type SectionName } from '../../store/dataset/record-ids.ts';
import { sectionOf } from '../../store/dataset/sections.ts';

/** Draft 7, which editors read, as far as the sections use it. */
export interface JsonSchema {
  $schema?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  items?: JsonSchema | JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  description?: string;
  default?: unknown;
}

export function datasetJsonSchema() {
  const lists = sectionNames.map((section) => {
    const { required, ...items } = recordJsonSchema(section);
    const key = required?.filter((field) => isKeyField(section, field)) ?? [];
    const list = { description: sectionOf(section).about, type: 'array' };
    return [section, { ...list, items: key.length > 0 ? { ...items, required: key } : items }];
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Dataset of leadctl import',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(lists) },
    additionalProperties: false,
  };
}

/** A listing may have only an id. */
function isKeyField(section: SectionName, field: string): boolean {
  return section !== 'listings' && sectionOf(section).key.includes(field);
}

export function recordJsonSchema(section: SectionName): JsonSchema {
  const schema = z.toJSONSchema(sectionOf(section).schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema }) => addDefault(zodSchema, jsonSchema as JsonSchema),
  }) as JsonSchema;
  delete schema.$schema;
  addReferences(section, schema);
  return section === 'rules' ? withNulls(schema) : schema;
}

/** `z.toJSONSchema` omits the default of a transformed field. */
function addDefault(zodSchema: z.core.$ZodTypes, jsonSchema: JsonSchema): void {
  const { def } = zodSchema._zod;
  const byDefault =
    def.type === 'default' ? def.defaultValue : z.globalRegistry.get(zodSchema)?.default;
  if (isGiven(byDefault)) jsonSchema.default = byDefault;
  else delete jsonSchema.default;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

function isGiven(byDefault: unknown): boolean {
  if (byDefault === undefined || byDefault === null) return false;
  return typeof byDefault !== 'object' || Object.keys(byDefault).length > 0;
}

function addReferences(section: SectionName, schema: JsonSchema): void {
  for (const [path, to] of Object.entries(sectionOf(section).references)) {
    const field = path
      .split('.')
      .reduce<JsonSchema | undefined>((within, name) => propertiesOf(within)?.[name], schema);
    if (!field) throw new Error(`${section} has no field ${path}.`);
    const [key = ''] = sectionOf(to).key;
    const named = `The \`${key}\` of a record of \`${to}\`.`;
    field.description = [field.description, named].filter(Boolean).join(' ');
  }
}

export function propertiesOf(schema: JsonSchema | undefined): JsonSchema['properties'] {
  const { properties, items } = schema ? withoutNull(schema) : {};
  return properties ?? (items && !Array.isArray(items) ? propertiesOf(items) : undefined);
}

export function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, type, ...own } = schema;
  const others = anyOf?.filter((each) => each.type !== 'null');
  if (others?.length === 1) return withoutNull({ ...own, ...others[0], ...descriptionOf(own) });
  const types = [type ?? []].flat().filter((each) => each !== 'null');
  return { ...own, anyOf: others, type: types.length > 1 ? types : types[0] };
}

function descriptionOf({ description }: JsonSchema): JsonSchema {
  return description === undefined ? {} : { description };
}

/** Null is treated as omitted, at any depth. */
function withNulls(schema: JsonSchema): JsonSchema {
  const { properties, items, oneOf, required = [] } = schema;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const inner = withNulls(field);
    return [name, required.includes(name) ? inner : orNull(inner)];
  });
  return {
    ...schema,
    ...(properties ? { properties: Object.fromEntries(fields) as JsonSchema['properties'] } : {}),
    ...(items && !Array.isArray(items) ? { items: withNulls(items) } : {}),
    ...(oneOf ? { oneOf: oneOf.map(withNulls) } : {}),
  };
}

function orNull({ description, default: byDefault, ...schema }: JsonSchema): JsonSchema {
  return { description, default: byDefault, anyOf: [schema, { type: 'null' }] };
}
