import type { Variables } from './variables.ts';

/** Names of before Temporal's own configuration was read, and what replaces them. */
const REPLACED_BY: Readonly<Record<string, string>> = {
  TEMPORAL_TLS_CERT_FILE: 'TEMPORAL_TLS_CLIENT_CERT_PATH',
  TEMPORAL_TLS_KEY_FILE: 'TEMPORAL_TLS_CLIENT_KEY_PATH',
  TEMPORAL_TLS_CA_FILE: 'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
};

/** The variables by their present names; a deprecated one is read for one release. */
export function renameDeprecated(given: Variables) {
  const used = Object.entries(REPLACED_BY).filter(([former]) => given[former] !== undefined);
  const present = Object.entries(given).filter(([name]) => !(name in REPLACED_BY));
  const variables: Variables = Object.fromEntries([
    ...used.map(([former, name]) => [name, given[former]]),
    ...present,
  ]);
  return {
    variables,
    warnings: used.map(
      ([former, name]) =>
        `${former} is deprecated and will not be read by the next release: set ${name} instead.`,
    ),
    issues: used
      .filter(([former, name]) => variables[name] !== given[former])
      .map(([former, name]) => `${former}: differs from ${name}, which replaces it`),
  };
}

/** The deprecated name where that is the one in use, so that an error names what was written. */
export function nameInUse(given: Variables, name: string): string {
  const [former] = Object.entries(REPLACED_BY).find(([, present]) => present === name) ?? [];
  return former && given[former] !== undefined && given[name] === undefined ? former : name;
}
