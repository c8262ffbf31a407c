import { loadClientConfigProfile, type ClientConfigProfile } from '@temporalio/envconfig';
import { stringify } from 'smol-toml';
import {
  contradictions,
  filesGivenTwice,
  headerIssues,
  nameFiles,
  type FileNames,
  type Sources,
} from './contradictions.ts';
import { renameDeprecated } from './deprecated-variables.ts';
import { readProfile, SettingsError, type Profile } from './profile.ts';
import {
  keysOf,
  PEM_FILES,
  unknownVariables,
  variableOf,
  withHeaderName,
  type Variables,
} from './variables.ts';

/** How to connect to Temporal. */
export interface TemporalSettings {
  address: string;
  namespace: string;
  /** As Temporal's library has it; certificates and keys are not read yet. */
  profile: ClientConfigProfile;
  fileNames: FileNames;
}

/**
 * Temporal's settings: the TEMPORAL_* variables, none of which is empty, take precedence over a profile of
 * temporal.toml. `settings` is null where one cannot be read.
 */
export function readTemporalSettings(given: Variables) {
  const { variables, warnings: deprecated, issues: renamed } = renameDeprecated(given);
  const warnings = [...deprecated, ...unknownVariables(variables)];
  const known = [...renamed, ...headerIssues(variables)];
  try {
    const sources = { given, variables, profile: readProfile(variables) };
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
  const { variables, profile } = sources;
  const table = profile && withoutOverridden(profile.settings, variables);
  const merged = loadClientConfigProfile({
    ...(table ? { configSource: { data: stringify({ profile: { default: table } }) } } : {}),
    ...{ disableFile: table === null, profile: 'default' },
    overrideEnvVars: ofTemporal(variables),
  });
  const { address = '127.0.0.1:7233', namespace = 'default' } = merged;
  return { address, namespace, profile: merged, fileNames: nameFiles(sources) };
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
