import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { serviceEnvironment, settingsFrom } from '../../dev/stack/settings.ts';
import { parseConfig } from '../../platform/config.ts';
import { newFolder } from '../support/folder.ts';

const SECRET = 'do-not-repeat-me';
const PORTS = { api: 1, ops: 2, workerOps: 3 } as never;

/** As the API, the worker and leadctl of a stack read it. */
function configOfServices(env: NodeJS.ProcessEnv) {
  const settings = settingsFrom({ DATA_DIR: newFolder(), SECRETS_KEY: '11'.repeat(32), ...env });
  const found = {
    databaseUrl: 'postgres://of-the-stack',
    temporalAddress: settings.env['TEMPORAL_ADDRESS'] ?? 'own:7233',
    registry: null,
    ports: PORTS,
  };
  return { ...settings, config: parseConfig(serviceEnvironment(settings, found)) };
}

function profile(): Record<string, string> {
  const file = path.join(newFolder(), 'temporal.toml');
  writeFileSync(file, `[profile.production]\nnamespace = "leads"\napi_key = "${SECRET}"\n`);
  return { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'production' };
}

test('a stack with a Temporal server of its own uses no settings of another one, and names them', () => {
  const others = {
    ...profile(),
    TEMPORAL_API_KEY: SECRET,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/no/ca.crt',
  };
  const kept = { TEMPORAL_NAMESPACE: 'mine', TEMPORAL_BINARY: '/bin/temporal' };
  const { config, env, notices } = configOfServices({ ...others, ...kept });
  expect(config.temporal).toMatchObject({ address: 'own:7233', namespace: 'mine' });
  expect(config.temporal.connectionOptions.apiKey).toBeUndefined();
  expect(Object.keys(env).filter((name) => name.startsWith('TEMPORAL_'))).toEqual(
    Object.keys(kept),
  );
  expect(notices).toEqual([
    'Not used without TEMPORAL_ADDRESS, since a Temporal server is started here: TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE, TEMPORAL_API_KEY, TEMPORAL_TLS_SERVER_CA_CERT_PATH.',
  ]);
});

test('a stack on a Temporal server that is given uses its settings', () => {
  const given = { TEMPORAL_ADDRESS: 'there:7233', ...profile() };
  const { config, notices } = configOfServices(given);
  expect(config.temporal).toMatchObject({ address: 'there:7233', namespace: 'leads' });
  expect(config.temporal.connectionOptions.apiKey).toBe(SECRET);
  expect(notices).toEqual([]);
});

test('nothing of Temporal in the shell is nothing to say', () => {
  expect(configOfServices({})).toMatchObject({
    notices: [],
    config: { temporal: { address: 'own:7233', namespace: 'default' } },
  });
});
