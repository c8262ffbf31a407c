import { readFile, writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import {
  datasetJsonSchema,
  propertiesOf,
  recordJsonSchema,
  withoutNull,
  type JsonSchema,
} from '../app/dataset/json-schema.ts';
import { sectionNames, type SectionName } from '../store/dataset/record-ids.ts';
import { sectionOf } from '../store/dataset/sections.ts';

const DOCS = new URL('../docs/', import.meta.url);

/** Everything below this line of docs/dataset.md is generated. */
const GENERATED = '<!-- Below: npm run dataset-docs -->';

export async function generateDocs(): Promise<Map<string, string>> {
  const page = await readFile(new URL('dataset.md', DOCS), 'utf8');
  const example = JSON.parse(
    await readFile(new URL('dataset.example.json', DOCS), 'utf8'),
  ) as Example;
  const [written = ''] = page.split(GENERATED);
  const parts = await Promise.all(sectionNames.map((section) => describeSection(section, example)));
  return new Map([
    ['dataset.md', `${written}${GENERATED}\n\n${parts.join('\n')}`],
    ['dataset.schema.json', await formatJson(datasetJsonSchema())],
  ]);
}

type Example = Record<SectionName, unknown[]>;

function formatJson(value: unknown): Promise<string> {
  return format(JSON.stringify(value), { parser: 'json', printWidth: 100 });
}

async function describeSection(section: SectionName, example: Example): Promise<string> {
  const { about } = sectionOf(section);
  const schema = recordJsonSchema(section);
  const rows = schema.properties
    ? fieldRows(schema, '')
    : [row('(the record)', 'text', '**required**', schema.description ?? '')];
  return `### ${section}

${about} ${keyText(section)}

| Field | Value | Default for a new record | Meaning |
| --- | --- | --- | --- |
${rows.join('\n')}

\`\`\`json
${await formatJson({ [section]: example[section] })}\`\`\`
`;
}

function keyText(section: SectionName): string {
  if (section === 'listings') return 'Found by `id`, else by `referenceNo`.';
  const { key } = sectionOf(section);
  return key.length === 0 ? 'Each record is its own key.' : `Found by ${codes(key, ' and ')}.`;
}

function codes(values: readonly unknown[], separator = ', '): string {
  return values.map((value) => `\`${String(value)}\``).join(separator);
}

function defaultText(value: unknown): string {
  return codes([typeof value === 'string' ? value : JSON.stringify(value)]);
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** `when` is the alternative that has the field. */
function fieldRows(schema: JsonSchema, path: string, when = ''): string[] {
  const { required = [] } = schema;
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const field = withoutNull(given);
    const label = `\`${path}${name}\`${when}`;
    const byDefault = field.default === undefined ? 'none' : defaultText(field.default);
    const ifOmitted = required.includes(name) ? '**required**' : byDefault;
    const own = row(label, valueText(field), ifOmitted, given.description ?? '');
    return [own, ...innerRows(field, path + name, when)];
  });
}

function innerRows(field: JsonSchema, path: string, when: string): string[] {
  if (field.type === 'array' && field.items && !Array.isArray(field.items))
    return innerRows(withoutNull(field.items), `${path}[]`, when);
  if (field.oneOf) return field.oneOf.flatMap((each) => alternativeRows(each, path));
  return propertiesOf(field) ? fieldRows(field, `${path}.`, when) : [];
}

function alternativeRows(schema: JsonSchema, path: string): string[] {
  const { name, field, properties } = discriminatorOf(schema);
  const values = valueText(field);
  const when = ` with \`${name}\` ${values}`;
  const own = row(`\`${path}.${name}\``, values, '**required**', field.description ?? '');
  return [own, ...fieldRows({ ...schema, properties }, `${path}.`, when)];
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'uuid',
  date: 'date such as `2026-12-20`',
  'date-time': 'time such as `2026-12-20T09:00+04:00`',
};

function valueText(given: JsonSchema): string {
  const schema = withoutNull(given);
  const { type, items, oneOf, anyOf } = schema;
  if (schema.enum) return codes(schema.enum);
  if (schema.const !== undefined) return codes([schema.const]);
  if (anyOf) return [...new Set(anyOf.map(valueText))].filter(isSpecific).join(' or ');
  if (oneOf) return `object with ${discriminatorText(oneOf)}`;
  if (Array.isArray(type)) return type.map((each) => valueText({ type: each })).join(' or ');
  switch (type) {
    case 'array':
      if (Array.isArray(items)) return `list of ${items.length}: ${valueText(items[0] ?? {})}`;
      return `list: ${valueText(items ?? {})}`;
    case 'string':
      return FORMATS[schema.format ?? ''] ?? 'text';
    case 'integer':
    case 'number':
      return `${type === 'integer' ? 'whole number' : 'number'}${boundsText(schema)}`;
    case 'boolean':
      return '`true` or `false`';
    default:
      return 'object';
  }
}

/** A time without seconds has a pattern instead of a format. */
const isSpecific = (kind: string, _at: number, kinds: readonly string[]) =>
  kind !== 'text' || !kinds.includes(String(FORMATS['date-time']));

function discriminatorText(alternatives: readonly JsonSchema[]): string {
  const named = alternatives.map(discriminatorOf);
  const values = named.flatMap(({ field }) => field.enum ?? [field.const]);
  return `\`${named[0]?.name}\` ${codes(values)}`;
}

function discriminatorOf({ properties: { kind, op = {}, ...properties } = {} }: JsonSchema) {
  return { ...(kind ? { name: 'kind', field: kind } : { name: 'op', field: op }), properties };
}

function boundsText({ minimum, maximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, at least ${minimum}`;
  return maximum === undefined ? '' : `, at most ${maximum}`;
}

if (import.meta.main)
  for (const [name, text] of await generateDocs()) await writeFile(new URL(name, DOCS), text);
