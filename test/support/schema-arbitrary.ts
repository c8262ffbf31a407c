import fc from 'fast-check';

/** JSON Schema as far as the document uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  pattern?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  prefixItems?: Schema[];
  minItems?: number;
  maxItems?: number;
  maxContains?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | false;
}

type Components = Readonly<Record<string, Schema>>;

const MAX_ENTRIES = 8;
const MAX_OPTIONAL = 12;

/** Values of a schema; `if`, `contains` and look-aheads of patterns are left to the caller's validator. */
export function valuesOf(schema: Schema, components: Components): fc.Arbitrary<unknown> {
  const { $ref, anyOf, ...own } = schema;
  if ($ref) return valuesOf(components[$ref.split('/').at(-1) ?? ''] ?? {}, components);
  if (anyOf) return fc.oneof(...anyOf.map((one) => valuesOf({ ...own, ...one }, components)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? []].flat();
  if (types.length > 1)
    return fc.oneof(...types.map((type) => valuesOf({ ...schema, type }, components)));
  switch (types[0]) {
    case 'object':
      return objectsOf(schema, components);
    case 'array':
      return arraysOf(schema, components);
    case 'string':
      return textsOf(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1e6 });
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return anyJson;
  }
}

/** NUL is dropped by the service before it looks at a text, since Postgres stores none. */
export const withoutNul = (text: string) => text.replaceAll('\0', '');

const anyJson = fc
  .json({ maxDepth: 2, stringUnit: 'binary' })
  .map((text): unknown =>
    JSON.parse(text, (_key, value: unknown) =>
      typeof value === 'string' ? withoutNul(value) : value,
    ),
  );

function textsOf({ pattern, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (pattern === undefined)
    return fc.string({ unit: 'binary', maxLength, size: 'medium' }).map(withoutNul);
  // Few repetitions: the longest texts are among the limits.
  const source = pattern.replaceAll(/\(\?!\w+\)/g, '').replaceAll(/\{0,\d+\}/g, '{0,3}');
  return fc.stringMatching(new RegExp(source, 'u')).map(withoutNul);
}

function arraysOf(schema: Schema, components: Components): fc.Arbitrary<unknown[]> {
  const { prefixItems = [], minItems = 0, maxItems, maxContains } = schema;
  const maxLength = Math.min(maxItems ?? MAX_ENTRIES, maxContains ?? MAX_ENTRIES);
  const rest = fc.array(valuesOf(schema.items ?? {}, components), {
    minLength: Math.max(0, minItems - prefixItems.length),
    maxLength,
  });
  const first = fc.tuple(...prefixItems.map((one) => valuesOf(one, components)));
  return fc.tuple(first, rest).map((parts) => parts.flat());
}

function objectsOf(schema: Schema, components: Components): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties = {} } = schema;
  const names = Object.keys(properties);
  const values = new Map(names.map((name) => [name, valuesOf(properties[name] ?? {}, components)]));
  const optional = names.filter((name) => !required.includes(name));
  const known = fc
    .subarray(optional, { maxLength: Math.min(optional.length, MAX_OPTIONAL) })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(
          [...required, ...chosen].map((name) => [name, values.get(name) ?? anyJson]),
        ),
      ),
    );
  if (additionalProperties === false) return known;
  const more = fc.dictionary(
    fc.string({ maxLength: 8 }).filter((name) => !names.includes(name)),
    valuesOf(additionalProperties, components),
    { maxKeys: 2 },
  );
  return fc.tuple(more, known).map((parts): object => Object.assign({}, ...parts) as object);
}

/** The value with one place in it replaced, or removed. */
export function mutationsOf(value: unknown, hints: readonly unknown[]): fc.Arbitrary<unknown> {
  const places = placesIn(value);
  return fc
    .tuple(fc.constantFrom(...places), fc.oneof(fc.constantFrom(REMOVED, ...hints), anyJson))
    .map(([place, replacement]) => replaceAt(value, place, replacement));
}

type Place = readonly PropertyKey[];
const REMOVED = Symbol('removed');

function placesIn(value: unknown, place: Place = []): Place[] {
  const inside = Object.entries(Object(value) as object);
  if (typeof value !== 'object') return [place];
  return [place, ...inside.flatMap(([key, one]) => placesIn(one, [...place, key]))];
}

function replaceAt(value: unknown, [key, ...rest]: Place, replacement: unknown): unknown {
  if (key === undefined) return replacement === REMOVED ? {} : replacement;
  const entries = Object.entries(value as object).flatMap(([name, one]) => {
    if (name !== key) return [[name, one] as const];
    if (rest.length === 0 && replacement === REMOVED) return [];
    return [[name, replaceAt(one, rest, replacement)] as const];
  });
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

/** Values at and beyond the limits that a schema sets anywhere. */
export function limitsIn(schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { maxLength, maxItems, maxContains, minimum, maximum, enum: members } = schema as Schema;
  const own = [
    ...[maxLength ?? []]
      .flat()
      .flatMap((most) => [
        ...['x', '😀', ' '].flatMap((unit) => [unit.repeat(most), unit.repeat(most + 1)]),
        ` ${'x'.repeat(most)} `,
      ]),
    ...[maxItems ?? [], maxContains ?? []]
      .flat()
      .flatMap((most) => [
        ...['x', ' '].flatMap((one) => [Array(most).fill(one), Array(most + 1).fill(one)]),
      ]),
    ...[minimum ?? []].flat().flatMap((least) => [least, least - 1, least + 0.5]),
    ...[maximum ?? []].flat().flatMap((most) => [most, most + 1]),
    ...(members ?? []),
  ];
  return [...own, ...Object.values(schema).flatMap((one) => limitsIn(one))];
}
