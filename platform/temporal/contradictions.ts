import type { ClientConfigProfile } from '@temporalio/envconfig';
import { nameInUse } from './deprecated-variables.ts';
import type { Profile } from './profile.ts';
import {
  headerName,
  headerOf,
  headerValue,
  keysOf,
  PEM_FILES,
  TLS_VARIABLES,
  variableOf,
  type PemFile,
  type Variables,
} from './variables.ts';

export interface Sources {
  /** As they were set. */
  given: Variables;
  /** By their present names. */
  variables: Variables;
  profile: Profile | null;
}

/** What an error calls each file: what the user wrote, else the variable to write. */
export type FileNames = Readonly<Record<PemFile, string>>;

export function nameFiles({ given, variables, profile }: Sources): FileNames {
  const nameFile = (file: PemFile): string => {
    const keys = keysOf(file);
    const variable = keys.map(variableOf).find((name) => variables[name] !== undefined);
    if (variable) return nameInUse(given, variable);
    const key = keys.find((each) => profile?.settings.tls?.[each] !== undefined);
    return key ? `${profile?.where}tls.${key}` : variableOf(keys[0]);
  };
  return Object.fromEntries(PEM_FILES.map((file) => [file, nameFile(file)])) as FileNames;
}

/** A path and the text of the same file, in the environment or in the profile. */
export function filesGivenTwice(sources: Sources): string[] {
  const { variables, profile } = sources;
  const names = nameFiles(sources);
  return PEM_FILES.flatMap((file) => {
    const [path, data] = keysOf(file);
    const isTwice = (of: object, name: (key: string) => string) =>
      Object.hasOwn(of, name(path)) && Object.hasOwn(of, name(data));
    if (isTwice(variables, variableOf))
      return [`${names[file]}: is set beside ${variableOf(data)}`];
    if (isTwice(profile?.settings.tls ?? {}, (key) => key))
      return [`${names[file]}: is set beside ${data}`];
    return [];
  });
}

export function headerIssues(variables: Variables): string[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    const header = headerOf(name);
    if (header === null) return [];
    const issues = [headerName.safeParse(header), headerValue.safeParse(value)];
    return issues
      .flatMap(({ error }) => error?.issues ?? [])
      .map(({ message }) => `${name}: ${message}`);
  });
}

/** A certificate without its key, or TLS turned off beside what it is needed for. */
export function contradictions(sources: Sources, merged: ClientConfigProfile): string[] {
  const { clientCert, clientKey, disabled } = merged.tls ?? {};
  const { client_cert: cert, client_key: key } = nameFiles(sources);
  if (disabled) return clearTextIssues(sources, merged);
  if (clientCert && !clientKey) return [`${key}: is needed with ${cert}`];
  if (clientKey && !clientCert) return [`${cert}: is needed with ${key}`];
  return [];
}

/** A setting that needs TLS is never ignored: an API key would be sent in the clear. */
function clearTextIssues({ given, variables, profile }: Sources, { apiKey }: ClientConfigProfile) {
  const where = variables.TEMPORAL_TLS ? 'TEMPORAL_TLS' : `${profile?.where}tls.disabled`;
  if (apiKey) return [`${where}: turns TLS off, and an API key is not sent without`];
  const needing = TLS_VARIABLES.find((name) => variables[name] !== undefined);
  return needing ? [`${where}: turns TLS off, which ${nameInUse(given, needing)} needs`] : [];
}
