import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { openApiDocument, INTERFACE_REVISION } from '../../api/openapi/document.ts';
import { webhooksDocument } from '../../api/openapi/webhooks.ts';
import { routes } from '../../api/routes/index.ts';
import { loadCommands } from '../../cli/commands.ts';
import { environment as ofStack } from '../../dev/stack/settings.ts';
import { datasetJsonSchema } from '../../app/dataset/json-schema.ts';
import { environment as ofService } from '../../platform/config.ts';
import { searchAttributes } from '../../workflows/contracts/search-attributes.ts';

/** The names of the last release, and of what was there before the list began. */
export const RELEASED_NAMES = new URL('public-names.txt', import.meta.url);

/** Every name that users write or read: in requests, responses, events, datasets, settings, Temporal and `leadctl`. */
export async function collectPublicNames(): Promise<string[]> {
  const program = new Command();
  for (const group of await loadCommands()) group(program, () => async () => undefined);
  const document = openApiDocument(routes);
  const names = [
    ...commandNames(program),
    ...Object.keys({ ...ofService.shape, ...ofStack.shape }),
    ...Object.values(searchAttributes).map(({ name }) => name),
    ...operationNames(document.paths ?? {}),
    ...[document, webhooksDocument(INTERFACE_REVISION), datasetJsonSchema()].flatMap(schemaNames),
  ];
  return [...new Set(names)].toSorted();
}

/** Such as `lead assign` and `lead assign --reason`. */
function commandNames(command: Command, path: string[] = []): string[] {
  const name = path.join(' ');
  const options = command.options.map(({ long, flags }) => `${name} ${long ?? flags}`);
  const below = command.commands.flatMap((each) => commandNames(each, [...path, each.name()]));
  return [...(name ? [name] : []), ...options, ...below];
}

function operationNames(paths: object): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** The fields and fixed values in JSON Schemas, at any depth, and the names of parameters. */
function schemaNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(schemaNames);
  const { properties = {}, enum: values = [], const: fixed, in: place, name } = value as Schema;
  const own = [...Object.keys(properties), ...values, fixed, place && name];
  const texts = own.filter((each) => typeof each === 'string');
  return [...texts, ...Object.values(value).flatMap(schemaNames)];
}

interface Schema {
  properties?: object;
  enum?: unknown[];
  const?: unknown;
  in?: string;
  name?: unknown;
}

if (import.meta.main) writeFileSync(RELEASED_NAMES, `${(await collectPublicNames()).join('\n')}\n`);
