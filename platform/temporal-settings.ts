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

/** Temporal's library does not check these values. */
export const temporalVariables = {
  TEMPORAL_TLS: z.enum(['0', '1', 'true', 'false']).optional(),
  TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: z
    .enum(['0', 'false'], 'is not supported: the server’s certificate is always verified')
    .optional(),
  // The error of gRPC would quote the value.
  TEMPORAL_API_KEY: z
    .string()
    .regex(/^[ -~]+$/, 'must be one line of printable ASCII characters')
    .optional(),
};

const ADDRESS_AND_NAMESPACE = ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE'];

/** Reads Temporal's standard variables or a profile. Throws the library's errors. */
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

/**
 * Ignores the user's default profile unless it is selected, so that the server does not depend on who starts a
 * worker.
 */
function loadConnectConfig(variables: Variables): Envconfig.ClientConnectConfig {
  const { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: profile = 'default' } = variables;
  // Most commands of `leadctl` do not need the library, which loads slowly.
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

/** For a process that starts its own server. */
export function withoutTemporalServer(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !OF_A_SERVER.test(name)));
}
