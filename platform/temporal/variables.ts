import { z } from 'zod';

export type Variables = Record<string, string | undefined>;

/** What gRPC takes in a header; its own error would quote the value. */
export const headerValue = z
  .string()
  .regex(/^[ -~]+$/, 'must be one line of printable ASCII characters');
/** gRPC takes bytes where a header's name ends in `-bin`. */
export const headerName = z
  .string()
  .regex(/^(?!.*[-_]bin$)[\w.-]+$/i, 'is no name of a text header');
export const VERIFIED = 'is not supported: the server’s certificate is always verified';

/** Files of PEM, each of which is given by its path or as text. */
export const PEM_FILES = ['client_cert', 'client_key', 'server_ca_cert'] as const;
export type PemFile = (typeof PEM_FILES)[number];

export const keysOf = (file: PemFile) => [`${file}_path`, `${file}_data`] as const;
export const variableOf = (key: string) => `TEMPORAL_TLS_${key.toUpperCase()}`;

/** Variables that have a use with TLS only. */
export const TLS_VARIABLES: readonly string[] = [
  ...PEM_FILES.flatMap((file) => keysOf(file).map(variableOf)),
  'TEMPORAL_TLS_SERVER_NAME',
];

/** Those whose values Temporal's library does not check. */
export const temporalVariables = {
  TEMPORAL_TLS: z.enum(['0', '1', 'true', 'false']).optional(),
  TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: z.enum(['0', 'false'], VERIFIED).optional(),
  TEMPORAL_API_KEY: headerValue.optional(),
};

const HEADER_PREFIX = 'TEMPORAL_GRPC_META_';

/** The name of the gRPC header that the variable sets, or null. */
export function headerOf(name: string): string | null {
  return name.startsWith(HEADER_PREFIX) ? name.slice(HEADER_PREFIX.length) : null;
}

/** The library makes hyphens of the first underscores only. */
export const toHeaderName = (name: string) => name.toLowerCase().replaceAll('_', '-');

export function withHeaderName(name: string): string {
  const header = headerOf(name);
  return header === null ? name : HEADER_PREFIX + toHeaderName(header);
}

/** Misspelt, or of another program. */
export function unknownVariables(variables: Variables): string[] {
  const known = [...TLS_VARIABLES, ...Object.keys(temporalVariables)];
  return Object.keys(variables)
    .filter((name) => name.startsWith('TEMPORAL_TLS_') && !known.includes(name))
    .map((name) => `${name} is none of Temporal’s settings and is not read.`);
}

const OF_A_SERVER = /^TEMPORAL_(ADDRESS|CONFIG_FILE|PROFILE|API_KEY|TLS|TLS_.+|GRPC_META_.+)$/;

/** For whoever brings a Temporal server of its own: settings of another one must not be used with it. */
export function withoutTemporalServer(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !OF_A_SERVER.test(name)));
}
