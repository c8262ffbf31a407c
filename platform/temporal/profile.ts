import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { errorCode } from '../errors.ts';
import { loadToml } from './libraries.ts';
import { headerName, headerValue, toHeaderName, VERIFIED, type Variables } from './variables.ts';

/** One text per setting that cannot be used: where it stands and why, without its value. */
export class SettingsError extends Error {
  readonly issues: readonly string[];

  constructor(...issues: readonly string[]) {
    super(issues.join('\n'));
    this.issues = issues;
  }
}

const text = z.string().min(1, 'is empty');

const tlsTable = z
  .strictObject({
    disabled: z.boolean(),
    client_cert_path: text,
    client_cert_data: text,
    client_key_path: text,
    client_key_data: text,
    server_ca_cert_path: text,
    server_ca_cert_data: text,
    server_name: text,
    disable_host_verification: z.literal(false, VERIFIED),
  })
  .partial();

/** Temporal's format of a profile: https://docs.temporal.io/references/client-environment-configuration */
const profileTable = z
  .strictObject({
    address: text,
    namespace: text,
    api_key: headerValue,
    tls: tlsTable,
    grpc_meta: z.record(headerName.transform(toHeaderName), headerValue),
    codec: z.unknown(), // of the CLI and the Web UI; the service encodes no payloads
  })
  .partial();

const configFile = z.object({ profile: z.record(z.string(), z.unknown()).default({}) });

export interface Profile {
  /** Stands before a setting's name in an issue. */
  where: string;
  settings: z.infer<typeof profileTable>;
}

/**
 * The profile that TEMPORAL_CONFIG_FILE or TEMPORAL_PROFILE asks for; null where neither is set. The user's own
 * default profile is not read unasked: a service must not depend on who starts it.
 */
export function readProfile(given: Variables): Profile | null {
  const { TEMPORAL_CONFIG_FILE: named, TEMPORAL_PROFILE: name = 'default' } = given;
  if (!named && !given.TEMPORAL_PROFILE) return null;
  const file = named ?? defaultFile(given);
  const by = named ? 'TEMPORAL_CONFIG_FILE' : 'TEMPORAL_PROFILE';
  const { profile: profiles } = validate(configFile, parseFile(file, by), file, []);
  if (!Object.hasOwn(profiles, name)) throw new SettingsError(noSuchProfile(given, file, profiles));
  const settings = validate(profileTable, profiles[name], file, ['profile', name]);
  return { where: `${file}: profile.${name}.`, settings };
}

/** Where Temporal's CLI keeps its profiles. */
function defaultFile({ XDG_CONFIG_HOME, HOME = '', APPDATA = '' }: Variables): string {
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    darwin: path.join(HOME, 'Library', 'Application Support'),
    win32: APPDATA,
  };
  const folder = folders[process.platform] ?? XDG_CONFIG_HOME ?? path.join(HOME, '.config');
  return path.join(folder, 'temporalio', 'temporal.toml');
}

/** The parser's own message would quote the line. */
function parseFile(file: string, by: string): unknown {
  const { parse, TomlError } = loadToml();
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SettingsError(
      error instanceof TomlError
        ? `${by}: ${file} is not valid TOML at line ${error.line}, column ${error.column}`
        : `${by}: ${file} cannot be read: ${errorCode(error)}`,
    );
  }
}

function noSuchProfile(given: Variables, file: string, profiles: object): string {
  const names = Object.keys(profiles).join(', ') || 'none';
  return given.TEMPORAL_PROFILE
    ? `TEMPORAL_PROFILE: is no profile of ${file}, which has ${names}`
    : `TEMPORAL_PROFILE: is needed, since ${file} has no profile "default" but ${names}`;
}

function validate<T>(schema: z.ZodType<T>, value: unknown, file: string, within: string[]): T {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  throw new SettingsError(
    ...error.issues.map(
      ({ path: keys, message }) => `${file}: ${[...within, ...keys].join('.')}: ${message}`,
    ),
  );
}
