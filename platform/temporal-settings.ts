import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Envconfig from '@temporalio/envconfig';
import { z } from 'zod';

export type Variables = Record<string, string | undefined>;

export type TemporalSettings = ReturnType<typeof readTemporalSettings>;

export const TLS_VARIABLES = [
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_CERT_DATA',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_DATA',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_DATA',
  'TEMPORAL_TLS_SERVER_NAME',
];

/** Variables whose values Temporal's library does not check. */
export const temporalVariables = {
  TEMPORAL_TLS: z.enum(['0', '1', 'true', 'false']).optional(),
  TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: z
    .enum(['0', 'false'], 'is not supported: the server’s certificate is always verified')
    .optional(),
  // gRPC's own error would quote the value.
  TEMPORAL_API_KEY: z
    .string()
    .regex(/^[ -~]+$/, 'must be one line of printable ASCII characters')
    .optional(),
};

const ADDRESS_AND_NAMESPACE = ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE'];

/** Temporal's standard client configuration: its variables, or a profile of a file. Throws the library's errors. */
export function readTemporalSettings(variables: Variables) {
  const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE } = variables;
  const set = Object.keys(variables).filter((name) => name.startsWith('TEMPORAL_'));
  const isPlain = set.every((name) => ADDRESS_AND_NAMESPACE.includes(name));
  const { namespace, connectionOptions } = isPlain
    ? { namespace: TEMPORAL_NAMESPACE, connectionOptions: { address: TEMPORAL_ADDRESS } }
    : loadConnectConfig(variables);
  const address = connectionOptions.address ?? '127.0.0.1:7233';
  return {
    address,
    namespace: namespace ?? 'default',
    connectionOptions: { ...connectionOptions, address },
  };
}

/** The user's default profile is not read unasked, so that a worker's server does not depend on who starts it. */
function loadConnectConfig(variables: Variables): Envconfig.ClientConnectConfig {
  const { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: profile = 'default' } = variables;
  // `leadctl` starts faster without the library, which most commands do not need.
  const load = createRequire(import.meta.url);
  const { loadClientConnectConfig } = load('@temporalio/envconfig') as typeof Envconfig;
  const config = loadClientConnectConfig({
    ...(file && { configSource: { data: readFileSync(file, 'utf8') } }),
    disableFile: !file && !variables['TEMPORAL_PROFILE'],
    profile,
    configFileStrict: true,
    overrideEnvVars: variables as Record<string, string>,
  });
  if (config.connectionOptions.apiKey && config.connectionOptions.tls === false)
    throw new Error('TEMPORAL_TLS must not be disabled with an API key');
  return config;
}

const OF_A_SERVER = /^TEMPORAL_(ADDRESS|CONFIG_FILE|PROFILE|API_KEY|TLS|TLS_.+|GRPC_META_.+)$/;

/** The variables without those of a Temporal server, for a process that starts its own. */
export function withoutTemporalServer(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !OF_A_SERVER.test(name)));
}
