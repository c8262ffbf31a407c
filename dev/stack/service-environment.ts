import type { Registry } from '../registry/server.ts';
import { secretsKey } from './stack-state.ts';
import type { Ports } from './ports.ts';
import type { Environment, Settings } from './settings.ts';

interface Found {
  databaseUrl: string;
  temporalAddress: string;
  registry: Registry | null;
  ports: Ports;
}

/** The environment of the API, the worker and leadctl: what was given, and what the stack started. */
export function serviceEnvironment(settings: Settings, found: Found): Environment {
  const { env, dataDir, temporalNamespace } = settings;
  return {
    // The stack's own receiver is on loopback.
    WEBHOOK_ALLOW_PRIVATE: '1',
    ...env,
    DATABASE_URL: found.databaseUrl,
    TEMPORAL_ADDRESS: found.temporalAddress,
    TEMPORAL_NAMESPACE: temporalNamespace,
    PORT: String(found.ports.api),
    OPS_PORT: String(found.ports.ops),
    WORKER_OPS_PORT: String(found.ports.workerOps),
    SECRETS_KEY: settings.secretsKey ?? secretsKey(dataDir),
    ...(found.registry && registryEnvironment(found.registry)),
  };
}

function registryEnvironment(registry: Registry): Environment {
  return {
    DNCR_TOKEN_URL: registry.tokenUrl,
    DNCR_CHECK_URL: registry.checkUrl,
    DNCR_CLIENT_ID: registry.clientId,
    DNCR_CLIENT_SECRET: registry.clientSecret,
  };
}
