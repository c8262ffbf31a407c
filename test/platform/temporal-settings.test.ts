import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { configurationErrors, parseConfig } from '../../platform/config.ts';
import { connectionOptions } from '../../temporal/connection.ts';
import { newFolder } from '../support/folder.ts';
import { createAuthority, type Certificate } from '../support/tls.ts';

type Variables = Record<string, string>;
const COMPLETE = { DATABASE_URL: 'postgres://127.0.0.1/leads', SECRETS_KEY: '11'.repeat(32) };
const SECRET = 'do-not-repeat-me';

const authority = await createAuthority('Ours');
const [client, other] = await Promise.all([
  authority.issue('lead-intake'),
  authority.issue('other'),
]);

function writeProfiles(toml: string): string {
  const file = path.join(newFolder(), 'temporal.toml');
  writeFileSync(file, toml);
  return file;
}

const configOf = (variables: Variables) => parseConfig({ ...COMPLETE, ...variables });
const temporalOf = (variables: Variables) => configOf(variables).temporal;

/** How the clients connect, and to which namespace. */
function targetOf(variables: Variables) {
  const temporal = temporalOf(variables);
  const { tls, ...options } = connectionOptions(temporal);
  const read = (bytes?: Uint8Array) => bytes && Buffer.from(bytes).toString();
  const { serverNameOverride, serverRootCACertificate, clientCertPair } = Object(tls);
  return {
    ...options,
    namespace: temporal.namespace,
    isSecure: Boolean(tls),
    name: serverNameOverride,
    ca: read(serverRootCACertificate),
    pair: clientCertPair && [read(clientCertPair.crt), read(clientCertPair.key)],
  };
}

const inProfile = (lines: string, name = 'default') => ({
  TEMPORAL_CONFIG_FILE: writeProfiles(`[profile.${name}]\n${lines}`),
});

describe('the settings of Temporal', () => {
  const asVariables = (): Variables => ({
    TEMPORAL_ADDRESS: 'temporal.internal:7233',
    TEMPORAL_NAMESPACE: 'leads',
    TEMPORAL_API_KEY: SECRET,
    TEMPORAL_TLS_CLIENT_CERT_PATH: client.certFile,
    TEMPORAL_TLS_CLIENT_KEY_DATA: client.key,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority.caFile,
    TEMPORAL_TLS_SERVER_NAME: 'other.internal',
    TEMPORAL_GRPC_META_X_TEAM_OF_THE_CALLER: 'sales',
  });
  const asProfile = () => `
[profile.leads]
address = "temporal.internal:7233"
namespace = "leads"
api_key = "${SECRET}"
codec = { endpoint = "https://codec.internal" }
[profile.leads.tls]
client_cert_path = "${client.certFile}"
client_key_data = """${client.key}"""
server_ca_cert_path = "${authority.caFile}"
server_name = "other.internal"
disable_host_verification = false
[profile.leads.grpc_meta]
x_team_of_the_caller = "sales"
[profile.unused]
anything = 1
`;
  const expected = () => ({
    address: 'temporal.internal:7233',
    namespace: 'leads',
    apiKey: SECRET,
    isSecure: true,
    name: 'other.internal',
    ca: authority.ca,
    pair: [client.cert, client.key],
    metadata: { 'x-team-of-the-caller': 'sales' },
  });

  test('are read from variables', () => {
    expect(targetOf(asVariables())).toEqual(expected());
  });

  test('are read from a profile, in whatever state others are', () => {
    const file = { TEMPORAL_CONFIG_FILE: writeProfiles(asProfile()), TEMPORAL_PROFILE: 'leads' };
    expect(targetOf(file)).toEqual(expected());
  });

  test('have defaults', () => {
    const defaults = { address: '127.0.0.1:7233', namespace: 'default', isSecure: false };
    expect(targetOf({})).toEqual({ ...defaults, metadata: {} });
  });

  test('are those of a variable where a profile has them as well', () => {
    const file = { TEMPORAL_CONFIG_FILE: writeProfiles(asProfile()), TEMPORAL_PROFILE: 'leads' };
    const variables = {
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      TEMPORAL_API_KEY: 'another',
      TEMPORAL_TLS_CLIENT_CERT_DATA: other.cert,
      TEMPORAL_TLS_CLIENT_KEY_PATH: other.keyFile,
      TEMPORAL_GRPC_META_X_TEAM_OF_THE_CALLER: 'support',
      TEMPORAL_NAMESPACE: '',
    };
    expect(targetOf({ ...file, ...variables })).toEqual({
      ...expected(),
      address: '127.0.0.1:1',
      apiKey: 'another',
      pair: [other.cert, other.key],
      metadata: { 'x-team-of-the-caller': 'support' },
    });
  });

  test('may turn off the TLS of a profile', () => {
    const profile = inProfile(`tls = { server_name = "other.internal" }`);
    expect(targetOf(profile)).toMatchObject({ isSecure: true });
    expect(targetOf({ ...profile, TEMPORAL_TLS: '0' })).toMatchObject({ isSecure: false });
  });

  const TURN_ON: [string, () => Variables][] = [
    ['TEMPORAL_TLS', () => ({ TEMPORAL_TLS: '1' })],
    ['an API key', () => ({ TEMPORAL_API_KEY: SECRET })],
    ['a server name', () => ({ TEMPORAL_TLS_SERVER_NAME: 'other.internal' })],
    ['a CA', () => ({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority.caFile })],
    ['an API key of a profile', () => inProfile(`api_key = "${SECRET}"`)],
    ['an empty table of a profile', () => inProfile('tls = {}')],
  ];
  test.each(TURN_ON)('turn TLS on by %s', (_, variables) => {
    expect(targetOf(variables()).isSecure).toBe(true);
  });
});

describe('the profile that the user keeps for Temporal’s command line', () => {
  const XDG_CONFIG_HOME = newFolder();
  beforeAll(() => {
    mkdirSync(path.join(XDG_CONFIG_HOME, 'temporalio'));
    const file = path.join(XDG_CONFIG_HOME, 'temporalio', 'temporal.toml');
    writeFileSync(file, '[profile.default]\naddress = "own:7233"\n[profile.other]\n');
  });

  test('is not read unasked', () => {
    const variables = { XDG_CONFIG_HOME, HOME: XDG_CONFIG_HOME };
    expect(temporalOf(variables).address).toBe('127.0.0.1:7233');
  });

  const onLinux = process.platform === 'linux' ? test : test.skip;
  onLinux('is read where TEMPORAL_PROFILE names it', () => {
    const { address } = temporalOf({ XDG_CONFIG_HOME, TEMPORAL_PROFILE: 'default' });
    expect(address).toBe('own:7233');
  });

  onLinux('has to have that name, below XDG_CONFIG_HOME or HOME', () => {
    const named = { TEMPORAL_PROFILE: SECRET };
    const file = path.join(XDG_CONFIG_HOME, 'temporalio', 'temporal.toml');
    expect(issuesOf({ ...named, XDG_CONFIG_HOME })).toEqual([
      `TEMPORAL_PROFILE: is no profile of ${file}, which has default, other`,
    ]);
    expect(issuesOf({ ...named, HOME: '/no/home' })).toEqual([
      'TEMPORAL_PROFILE: /no/home/.config/temporalio/temporal.toml cannot be read: ENOENT',
    ]);
  });
});

const issuesOf = (variables: Variables) => configurationErrors({ ...COMPLETE, ...variables });

describe('a profile that cannot be used is one line, which names the file and no value:', () => {
  const broken: [string, string, string][] = [
    [
      'broken TOML',
      `[profile.default]\napi_key = ${SECRET}`,
      ' is not valid TOML at line 2, column 11',
    ],
    [
      'no table of profiles',
      'profile = 1',
      ': profile: Invalid input: expected record, received number',
    ],
    [
      'a key that Temporal does not have',
      `[profile.default]\napikey = "${SECRET}"`,
      ': profile.default: Unrecognized key: "apikey"',
    ],
    [
      'a key of TLS that Temporal does not have',
      '[profile.default.tls]\nserver_ca = "x"',
      ': profile.default.tls: Unrecognized key: "server_ca"',
    ],
    [
      'a number for a text',
      '[profile.default]\naddress = 7233',
      ': profile.default.address: Invalid input: expected string, received number',
    ],
    ['an empty text', '[profile.default]\naddress = ""', ': profile.default.address: is empty'],
    [
      'an API key with a line break',
      `[profile.default]\napi_key = "${SECRET}\\n"`,
      ': profile.default.api_key: must be one line of printable ASCII characters',
    ],
    [
      'a certificate that is not to be verified',
      '[profile.default.tls]\ndisable_host_verification = true',
      ': profile.default.tls.disable_host_verification: is not supported: the server’s certificate is always verified',
    ],
    [
      'a file by path and as text',
      `[profile.default.tls]\nclient_key_path = "/k"\nclient_key_data = "${SECRET}"`,
      ': profile.default.tls.client_key_path: is set beside client_key_data',
    ],
    [
      'an API key without TLS',
      `[profile.default]\napi_key = "${SECRET}"\ntls = { disabled = true }`,
      ': profile.default.tls.disabled: turns TLS off, and an API key is not sent without',
    ],
  ];
  test.each(broken)('%s', (_, toml, issue) => {
    const TEMPORAL_CONFIG_FILE = writeProfiles(toml);
    expect(issuesOf({ TEMPORAL_CONFIG_FILE })).toEqual([
      `${issue.startsWith(':') ? '' : 'TEMPORAL_CONFIG_FILE: '}${TEMPORAL_CONFIG_FILE}${issue}`,
    ]);
  });

  test('a certificate without its key', () => {
    const profile = inProfile(`tls = { client_cert_path = "/c" }`, 'leads');
    expect(issuesOf({ ...profile, TEMPORAL_PROFILE: 'leads' })).toEqual([
      `TEMPORAL_TLS_CLIENT_KEY_PATH: is needed with ${profile.TEMPORAL_CONFIG_FILE}: profile.leads.tls.client_cert_path`,
    ]);
  });

  test('a file that is not there, or not to be read', () => {
    const file = '/no/temporal.toml';
    expect(issuesOf({ TEMPORAL_CONFIG_FILE: file })).toEqual([
      `TEMPORAL_CONFIG_FILE: ${file} cannot be read: ENOENT`,
    ]);
    const folder = newFolder();
    expect(issuesOf({ TEMPORAL_CONFIG_FILE: folder })).toEqual([
      `TEMPORAL_CONFIG_FILE: ${folder} cannot be read: EISDIR`,
    ]);
  });

  test('no profile to choose', () => {
    const { TEMPORAL_CONFIG_FILE } = inProfile('', 'leads');
    expect(issuesOf({ TEMPORAL_CONFIG_FILE })).toEqual([
      `TEMPORAL_PROFILE: is needed, since ${TEMPORAL_CONFIG_FILE} has no profile "default" but leads`,
    ]);
  });
});

describe('a variable that cannot be used is one line, which names it and not its value:', () => {
  const invalid: [string, Variables, string][] = [
    [
      'TLS that is neither on nor off',
      { TEMPORAL_TLS: SECRET },
      'TEMPORAL_TLS: Invalid option: expected one of "0"|"1"|"true"|"false"',
    ],
    [
      'an API key with a line break',
      { TEMPORAL_API_KEY: `${SECRET}\n` },
      'TEMPORAL_API_KEY: must be one line of printable ASCII characters',
    ],
    [
      'a header with a line break',
      { TEMPORAL_GRPC_META_TEAM: `${SECRET}\n` },
      'TEMPORAL_GRPC_META_TEAM: must be one line of printable ASCII characters',
    ],
    [
      'a header of bytes',
      { TEMPORAL_GRPC_META_TEAM_BIN: SECRET },
      'TEMPORAL_GRPC_META_TEAM_BIN: is no name of a text header',
    ],
    [
      'a certificate without its key',
      { TEMPORAL_TLS_CLIENT_CERT_DATA: SECRET },
      'TEMPORAL_TLS_CLIENT_KEY_PATH: is needed with TEMPORAL_TLS_CLIENT_CERT_DATA',
    ],
    [
      'a key without its certificate',
      { TEMPORAL_TLS_CLIENT_KEY_PATH: SECRET },
      'TEMPORAL_TLS_CLIENT_CERT_PATH: is needed with TEMPORAL_TLS_CLIENT_KEY_PATH',
    ],
    [
      'a file by path and as text',
      { TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/c', TEMPORAL_TLS_SERVER_CA_CERT_DATA: SECRET },
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH: is set beside TEMPORAL_TLS_SERVER_CA_CERT_DATA',
    ],
    [
      'an API key without TLS',
      { TEMPORAL_API_KEY: SECRET, TEMPORAL_TLS: '0' },
      'TEMPORAL_TLS: turns TLS off, and an API key is not sent without',
    ],
    [
      'a CA without TLS',
      { TEMPORAL_TLS_SERVER_CA_CERT_PATH: SECRET, TEMPORAL_TLS: 'false' },
      'TEMPORAL_TLS: turns TLS off, which TEMPORAL_TLS_SERVER_CA_CERT_PATH needs',
    ],
    [
      'a certificate that is not to be verified',
      { TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: '1' },
      'TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: is not supported: the server’s certificate is always verified',
    ],
  ];
  test.each(invalid)('%s', (_, variables, issue) => {
    expect(issuesOf(variables)).toEqual([issue]);
  });
});

test('a variable comes before the same file in a profile', () => {
  const profile = inProfile(`tls = { server_ca_cert_data = "x" }`);
  const variables = { ...profile, TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority.caFile };
  expect(targetOf(variables).ca).toBe(authority.ca);
});

test('a variable of TLS that Temporal does not have is named in a warning', () => {
  expect(configOf({ TEMPORAL_TLS_CA: SECRET, TEMPORAL_BINARY: '/t' }).warnings).toEqual([
    'TEMPORAL_TLS_CA is none of Temporal’s settings and is not read.',
  ]);
});

describe('a file that cannot be used is named as it was given:', () => {
  const INVALID = 'The configuration is not valid:\n  ';
  const connect = (variables: Variables) => () => connectionOptions(temporalOf(variables));

  test('one that is not there', () => {
    const missing = '/no/such.crt';
    expect(connect({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: missing })).toThrow(
      `${INVALID}TEMPORAL_TLS_SERVER_CA_CERT_PATH: ${missing} cannot be read: ENOENT`,
    );
    const profile = inProfile(`tls = { server_ca_cert_path = "${missing}" }`);
    expect(connect(profile)).toThrow(
      `${INVALID}${profile.TEMPORAL_CONFIG_FILE}: profile.default.tls.server_ca_cert_path: ${missing} cannot be read: ENOENT`,
    );
  });

  test('one that is no certificate, or no key of it', () => {
    expect(connect({ TEMPORAL_TLS_SERVER_CA_CERT_DATA: SECRET })).toThrow(
      `${INVALID}TEMPORAL_TLS_SERVER_CA_CERT_DATA: is no certificate`,
    );
    const pair = (key: Certificate) => ({
      TEMPORAL_TLS_CLIENT_CERT_DATA: client.cert,
      TEMPORAL_TLS_CLIENT_KEY_PATH: key.keyFile,
    });
    expect(connect(pair(client))).not.toThrow();
    expect(connect(pair(other))).toThrow(
      `${INVALID}TEMPORAL_TLS_CLIENT_KEY_PATH: is not the key of the certificate in TEMPORAL_TLS_CLIENT_CERT_DATA`,
    );
  });
});
