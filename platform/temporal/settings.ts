import type { ClientConfigProfile } from '@temporalio/envconfig';
import { loadEnvconfig, loadToml } from './libraries.ts';
import { readProfile, SettingsError, type Profile } from './profile.ts';
import {
  keysOf,
  PEM_FILES,
  unknownVariables,
  variableOf,
  withHeaderName,
  type Variables,
  headerName,
  headerOf,
  headerValue,
  TLS_VARIABLES,
  type PemFile,
} from './variables.ts';

/** How to connect to Temporal. */
export interface TemporalSettings {
  address: string;
  namespace: string;
  /** As Temporal's library has it; certificates and keys are not read yet. Null where nothing else is set. */
  profile: ClientConfigProfile | null;
  fileNames: FileNames;
}

/**
 * Temporal's settings: the TEMPORAL_* variables, none of which is empty, take precedence over a profile of
 * temporal.toml. `settings` is null where one cannot be read.
 */
export function readTemporalSettings(variables: Variables) {
  const warnings = unknownVariables(variables);
  const known = headerIssues(variables);
  try {
    const sources = { variables, profile: readProfile(variables) };
    const settings = mergeSources(sources);
    const issues = [...known, ...contradictions(sources, settings.profile)];
    return { warnings, settings, issues };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { warnings, settings: null, issues: [...known, ...error.issues] };
  }
}

function mergeSources(sources: Sources): TemporalSettings {
  const twice = filesGivenTwice(sources);
  if (twice.length > 0) throw new SettingsError(...twice);
  const profile = mergeProfile(sources);
  const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE } = sources.variables;
  return {
    address: TEMPORAL_ADDRESS ?? profile?.address ?? '127.0.0.1:7233',
    namespace: TEMPORAL_NAMESPACE ?? profile?.namespace ?? 'default',
    profile,
    fileNames: nameFiles(sources),
  };
}

const ADDRESS_AND_NAMESPACE: readonly string[] = ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE'];

/** Null: nothing is set but perhaps the address and the namespace. */
function mergeProfile({ variables, profile }: Sources): ClientConfigProfile | null {
  const given = ofTemporal(variables);
  if (!profile && Object.keys(given).every((name) => ADDRESS_AND_NAMESPACE.includes(name)))
    return null;
  const table = profile && withoutOverridden(profile.settings, variables);
  const data = table && loadToml().stringify({ profile: { default: table } });
  return loadEnvconfig().loadClientConfigProfile({
    ...(data ? { configSource: { data } } : {}),
    disableFile: table === null,
    profile: 'default',
    overrideEnvVars: given,
  });
}

/** The library refuses the path of a file beside its text, even if the variable is to override the profile. */
function withoutOverridden({ tls, ...settings }: Profile['settings'], variables: Variables) {
  if (!tls) return settings;
  const overridden: readonly string[] = PEM_FILES.map(keysOf)
    .filter((keys) => keys.some((key) => variables[variableOf(key)] !== undefined))
    .flat();
  const kept = Object.entries(tls).filter(([key]) => !overridden.includes(key));
  return { ...settings, tls: Object.fromEntries(kept) };
}

function ofTemporal(variables: Variables): Record<string, string> {
  const entries = Object.entries(variables).filter(([name]) => name.startsWith('TEMPORAL_'));
  return Object.fromEntries(entries.map(([name, value = '']) => [withHeaderName(name), value]));
}

interface Sources {
  variables: Variables;
  profile: Profile | null;
}

/** What an error calls each file: what the user wrote, else the variable to write. */
type FileNames = Readonly<Record<PemFile, string>>;

function nameFiles({ variables, profile }: Sources): FileNames {
  const nameFile = (file: PemFile): string => {
    const keys = keysOf(file);
    const variable = keys.map(variableOf).find((name) => variables[name] !== undefined);
    if (variable) return variable;
    const key = keys.find((each) => profile?.settings.tls?.[each] !== undefined);
    return key ? `${profile?.where}tls.${key}` : variableOf(keys[0]);
  };
  return Object.fromEntries(PEM_FILES.map((file) => [file, nameFile(file)])) as FileNames;
}

/** Issues of files that are given both as a path and as text, in the environment or in the profile. */
function filesGivenTwice(sources: Sources): string[] {
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

function headerIssues(variables: Variables): string[] {
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
function contradictions(sources: Sources, merged: ClientConfigProfile | null): string[] {
  const { clientCert, clientKey, disabled } = merged?.tls ?? {};
  const { client_cert: cert, client_key: key } = nameFiles(sources);
  if (merged && disabled) return clearTextIssues(sources, merged);
  if (clientCert && !clientKey) return [`${key}: is needed with ${cert}`];
  if (clientKey && !clientCert) return [`${cert}: is needed with ${key}`];
  return [];
}

/** A setting that needs TLS is never ignored: an API key would be sent in the clear. */
function clearTextIssues({ variables, profile }: Sources, { apiKey }: ClientConfigProfile) {
  const where = variables.TEMPORAL_TLS ? 'TEMPORAL_TLS' : `${profile?.where}tls.disabled`;
  if (apiKey) return [`${where}: turns TLS off, and an API key is not sent without`];
  const needing = TLS_VARIABLES.find((name) => variables[name] !== undefined);
  return needing ? [`${where}: turns TLS off, which ${needing} needs`] : [];
}
