import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { configurationErrors, parseConfig } from '../../platform/config.ts';
import { onLinux } from '../dev/support.ts';
import { newFolder } from '../support/folder.ts';
import { createAuthority } from '../support/tls.ts';

type Variables = Record<string, string>;
const COMPLETE = { DATABASE_URL: 'postgres://127.0.0.1/leads', SECRETS_KEY: '11'.repeat(32) };
const SECRET = 'do-not-repeat-me';

const authority = await createAuthority('Ours');
const client = await authority.issue('lead-intake');

/** How the clients connect, and to which namespace. */
function targetOf(variables: Variables) {
  const { namespace, connectionOptions } = parseConfig({ ...COMPLETE, ...variables }).temporal;
  const { tls, address, apiKey, metadata } = connectionOptions;
  const read = (bytes?: Uint8Array) => bytes && Buffer.from(bytes).toString();
  const { serverNameOverride, serverRootCACertificate, clientCertPair } = Object(tls);
  return {
    address,
    apiKey,
    metadata,
    namespace,
    isSecure: Boolean(tls),
    name: serverNameOverride,
    ca: read(serverRootCACertificate),
    pair: clientCertPair && [read(clientCertPair.crt), read(clientCertPair.key)],
  };
}

const issuesOf = (variables: Variables) => configurationErrors({ ...COMPLETE, ...variables });

function inProfile(lines: string, name = 'default') {
  const file = path.join(newFolder(), 'temporal.toml');
  writeFileSync(file, `[profile.${name}]\n${lines}`);
  return { TEMPORAL_CONFIG_FILE: file };
}

describe('the settings of Temporal', () => {
  const asVariables = (): Variables => ({
    TEMPORAL_ADDRESS: 'temporal.internal:7233',
    TEMPORAL_NAMESPACE: 'leads',
    TEMPORAL_API_KEY: SECRET,
    TEMPORAL_TLS_CLIENT_CERT_PATH: client.certFile,
    TEMPORAL_TLS_CLIENT_KEY_DATA: client.key,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority.caFile,
    TEMPORAL_TLS_SERVER_NAME: 'other.internal',
    TEMPORAL_GRPC_META_TEAM: 'sales',
  });
  const asProfile = () => ({
    ...inProfile(
      `address = "temporal.internal:7233"
namespace = "leads"
api_key = "${SECRET}"
[profile.leads.tls]
client_cert_path = "${client.certFile}"
client_key_data = """${client.key}"""
server_ca_cert_path = "${authority.caFile}"
server_name = "other.internal"
[profile.leads.grpc_meta]
team = "sales"`,
      'leads',
    ),
    TEMPORAL_PROFILE: 'leads',
  });
  const expected = () => ({
    address: 'temporal.internal:7233',
    namespace: 'leads',
    apiKey: SECRET,
    isSecure: true,
    name: 'other.internal',
    ca: authority.ca,
    pair: [client.cert, client.key],
    metadata: { team: 'sales' },
  });

  test('are read from variables', () => {
    expect(targetOf(asVariables())).toEqual(expected());
  });

  test('are read from a profile', () => {
    expect(targetOf(asProfile())).toEqual(expected());
  });

  test('have defaults', () => {
    const defaults = { address: '127.0.0.1:7233', namespace: 'default', isSecure: false };
    expect(targetOf({})).toEqual(defaults);
    expect(targetOf({ TEMPORAL_NAMESPACE: '' })).toEqual(defaults);
  });

  test('are those of a variable if a profile has them as well', () => {
    const variables = { TEMPORAL_ADDRESS: '127.0.0.1:1', TEMPORAL_API_KEY: 'another' };
    const target = { ...expected(), address: '127.0.0.1:1', apiKey: 'another' };
    expect(targetOf({ ...asProfile(), ...variables })).toEqual(target);
  });

  const TURN_ON: [string, () => Variables][] = [
    ['TEMPORAL_TLS', () => ({ TEMPORAL_TLS: '1' })],
    ['an API key', () => ({ TEMPORAL_API_KEY: SECRET })],
    ['a server name', () => ({ TEMPORAL_TLS_SERVER_NAME: 'other.internal' })],
    ['an API key of a profile', () => inProfile(`api_key = "${SECRET}"`)],
  ];
  test.each(TURN_ON)('turn TLS on by %s', (_, variables) => {
    expect(targetOf(variables()).isSecure).toBe(true);
  });

  test('may turn off the TLS of a profile', () => {
    const profile = inProfile(`tls = { server_name = "other.internal" }`);
    expect(targetOf({ ...profile, TEMPORAL_TLS: '0' })).toMatchObject({ isSecure: false });
  });
});

describe('the profile that the user keeps for Temporal’s command line', () => {
  const XDG_CONFIG_HOME = newFolder();
  beforeAll(() => {
    mkdirSync(path.join(XDG_CONFIG_HOME, 'temporalio'));
    const file = path.join(XDG_CONFIG_HOME, 'temporalio', 'temporal.toml');
    writeFileSync(file, '[profile.default]\naddress = "own:7233"\n');
  });

  test('is not read unasked', () => {
    const variables = { XDG_CONFIG_HOME, HOME: XDG_CONFIG_HOME, TEMPORAL_TLS: '1' };
    expect(targetOf(variables).address).toBe('127.0.0.1:7233');
  });

  onLinux('is read if TEMPORAL_PROFILE specifies it', () => {
    expect(targetOf({ XDG_CONFIG_HOME, TEMPORAL_PROFILE: 'default' }).address).toBe('own:7233');
  });
});

describe('settings that cannot be used are one line without a secret:', () => {
  const invalid: [string, () => Variables, string][] = [
    [
      'broken TOML',
      () => inProfile(`api_key = ${SECRET}`),
      'Temporal: Invalid TOML document: invalid value',
    ],
    [
      'an unknown key',
      () => inProfile(`apikey = "${SECRET}"`),
      'Temporal: Validation error: key(s) unrecognized in profile.default: apikey',
    ],
    [
      'an API key without TLS',
      () => ({ TEMPORAL_API_KEY: SECRET, TEMPORAL_TLS: '0' }),
      'Temporal: TEMPORAL_TLS must not be disabled with an API key',
    ],
    [
      'TLS that is neither on nor off',
      () => ({ TEMPORAL_TLS: SECRET }),
      'TEMPORAL_TLS: Invalid option: expected one of "0"|"1"|"true"|"false"',
    ],
    [
      'an API key with a line break',
      () => ({ TEMPORAL_API_KEY: `${SECRET}\n` }),
      'TEMPORAL_API_KEY: must be one line of printable ASCII characters',
    ],
    [
      'a certificate that is not to be verified',
      () => ({ TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: '1' }),
      'TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: is not supported: the server’s certificate is always verified',
    ],
  ];
  test.each(invalid)('%s', (_, variables, issue) => {
    expect(issuesOf(variables())).toEqual([issue]);
  });
});
