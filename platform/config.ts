import { availableParallelism } from 'node:os';
import { z } from 'zod';
import {
  readTemporalSettings,
  temporalVariables,
  type TemporalSettings,
  type Variables,
} from './temporal-settings.ts';

const flag = z
  .enum(['0', '1', 'true', 'false'])
  .transform((text) => text === '1' || text === 'true');
const number = z.coerce.number({
  error: ({ input }) => (Number.isNaN(input) ? 'must be a number' : undefined),
});
export const port = number.int().min(0).max(65_535);
const positive = number.positive();
const retainedDays = number.min(1).optional();
const address = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });
const secondsList = z
  .string()
  .regex(
    /^\s*\d+(\.\d+)?(\s*,\s*\d+(\.\d+)?)*\s*$/,
    'must be a list of seconds, such as 5,300,1800',
  )
  .transform((text) => text.split(',').map(Number));

/** Repeats `isTimeZone` of domain/routing/local-time.ts, which this folder must not import; a test compares. */
function isTimeZone(name: string): boolean {
  try {
    return (
      /^(utc$|(?!systemv\/|us\/pacific-new$)[a-z]+\/)/i.test(name) &&
      Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
    );
  } catch {
    return false;
  }
}

const DEFAULT_RETRY_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];

/** `readTemporalSettings` reads the other TEMPORAL_ variables. */
export const environment = z.object({
  PORT: port.default(8080),
  OPS_PORT: port.default(9090),
  WORKER_OPS_PORT: port.default(9091),
  API_OPS_URL: address.optional(),
  WORKER_OPS_URL: address.optional(),
  HOST: z.string().default('0.0.0.0'),
  TRUSTED_PROXIES: number.int().min(0).max(10).default(0),
  MAX_CONNECTIONS_PER_ADDRESS: number.int().min(1).default(1000),
  DRAIN_SECONDS: number.min(0).max(20).default(0.5),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  ENVIRONMENT: z.enum(['stg', 'prd']).default('stg'),
  COMPANY_NAME: z.string().min(1).default('Company'),
  COMPANY_TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as Asia/Dubai')
    .default('Asia/Dubai'),

  DATABASE_URL: z.string().startsWith('postgres'),
  // More concurrent statements per processor would only wait for each other.
  DATABASE_POOL: number
    .int()
    .min(1)
    .default(4 * availableParallelism() + 4),

  ...temporalVariables,

  WORKER_DEPLOYMENT: z
    .string()
    .regex(/^(?!__)[^.:\s]+$/, 'must have no dot, colon or space, and not begin with "__"')
    .optional(),
  WORKER_BUILD_ID: z
    .string()
    .regex(/^(?!__)\S+$/, 'must have no space and not begin with "__"')
    .optional(),

  WORKFLOW_BUNDLE: z.string().optional(),

  DNCR_TOKEN_URL: address.optional(),
  DNCR_CHECK_URL: z.union([z.literal('off'), address]).default('off'),
  DNCR_CLIENT_ID: z.string().optional(),
  DNCR_CLIENT_SECRET: z.string().optional(),
  DNCR_TIMEOUT_SECONDS: positive.default(5),
  DNCR_TRIES: number.int().min(1).max(10).default(2),
  DNCR_CALLS_PER_SECOND: positive.default(10),

  MERGE_WINDOW_HOURS: positive.default(24),
  TOKEN_LIFETIME_SECONDS: positive.default(3600),
  MAX_REQUESTS_PER_CLIENT: number.int().min(1).default(256),
  DAILY_QUOTA: number.int().min(0).default(100_000),
  FOLLOW_UP_MINUTES: number
    .min(0)
    .max(366 * 24 * 60)
    .default(15),
  RETAIN_PERSONAL_DAYS: retainedDays,
  RETAIN_EXPLANATIONS_DAYS: retainedDays,
  RETAIN_DELIVERIES_DAYS: retainedDays,
  RETAIN_EVENTS_DAYS: retainedDays,
  RETAIN_CHECKS_DAYS: retainedDays,
  RECONCILE_AFTER_SECONDS: positive.default(60),
  WEBHOOK_RETRY_SECONDS: secondsList.default(DEFAULT_RETRY_SECONDS),
  WEBHOOK_TIMEOUT_SECONDS: positive.default(15),
  WEBHOOK_ALLOW_PRIVATE: flag.default(false),
  SECRETS_KEY: z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits (32 bytes)'),
});

const HOUR_MS = 3_600_000;

function toConfig(env: z.infer<typeof environment>, temporal: TemporalSettings) {
  return {
    port: env.PORT,
    opsPort: env.OPS_PORT,
    workerOpsPort: env.WORKER_OPS_PORT,
    // The worker's address is often unreachable for leadctl.
    opsUrls: {
      api: env.API_OPS_URL ?? `http://127.0.0.1:${env.OPS_PORT}`,
      worker: env.WORKER_OPS_URL ?? null,
    },
    host: env.HOST,
    trustedProxies: env.TRUSTED_PROXIES,
    maxConnectionsPerAddress: env.TRUSTED_PROXIES > 0 ? Infinity : env.MAX_CONNECTIONS_PER_ADDRESS,
    drainMs: Math.round(env.DRAIN_SECONDS * 1000),
    logLevel: env.LOG_LEVEL,
    environment: env.ENVIRONMENT,
    companyName: env.COMPANY_NAME,
    companyTimeZone: env.COMPANY_TIME_ZONE,
    database: { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL },
    temporal,
    worker: { deploymentName: env.WORKER_DEPLOYMENT ?? null, buildId: env.WORKER_BUILD_ID ?? null },
    workflowBundle: env.WORKFLOW_BUNDLE ?? null,
    dncr: toDncrConfig(env),
    mergeWindowMs: Math.round(env.MERGE_WINDOW_HOURS * HOUR_MS),
    tokenLifetimeMs: Math.round(env.TOKEN_LIFETIME_SECONDS * 1000),
    maxRequestsPerClient: env.MAX_REQUESTS_PER_CLIENT,
    dailyQuota: env.DAILY_QUOTA,
    followUpMs: Math.round(env.FOLLOW_UP_MINUTES * 60_000),
    retainPersonalMs: daysToMs(env.RETAIN_PERSONAL_DAYS),
    retain: {
      explanationsMs: daysToMs(env.RETAIN_EXPLANATIONS_DAYS),
      deliveriesMs: daysToMs(env.RETAIN_DELIVERIES_DAYS),
      eventsMs: daysToMs(env.RETAIN_EVENTS_DAYS),
      checksMs: daysToMs(env.RETAIN_CHECKS_DAYS),
    },
    reconcileAfterMs: Math.round(env.RECONCILE_AFTER_SECONDS * 1000),
    webhooks: {
      retryDelaysMs: env.WEBHOOK_RETRY_SECONDS.map((seconds) => Math.round(seconds * 1000)),
      timeoutMs: Math.round(env.WEBHOOK_TIMEOUT_SECONDS * 1000),
      allowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    },
    secretsKey: Buffer.from(env.SECRETS_KEY, 'hex'),
  };
}

function daysToMs(days: number | undefined): number | null {
  return days === undefined ? null : Math.round(days * 24 * HOUR_MS);
}

function toDncrConfig(env: z.infer<typeof environment>) {
  if (env.DNCR_CHECK_URL === 'off') return null;
  return {
    tokenUrl: env.DNCR_TOKEN_URL ?? '',
    checkUrl: env.DNCR_CHECK_URL,
    clientId: env.DNCR_CLIENT_ID ?? '',
    clientSecret: env.DNCR_CLIENT_SECRET ?? '',
    timeoutMs: Math.round(env.DNCR_TIMEOUT_SECONDS * 1000),
    tries: env.DNCR_TRIES,
    callsPerSecond: env.DNCR_CALLS_PER_SECOND,
  };
}

const NEEDED_FOR_CHECKS = ['DNCR_TOKEN_URL', 'DNCR_CLIENT_ID', 'DNCR_CLIENT_SECRET'];

function missingForChecks(given: Variables): string[] {
  if ((given.DNCR_CHECK_URL ?? 'off') === 'off') return [];
  const missing = NEEDED_FOR_CHECKS.filter((name) => given[name] === undefined);
  return missing.map((name) => `${name}: is needed with DNCR_CHECK_URL`);
}

export type Config = ReturnType<typeof toConfig>;

export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/** Names every invalid setting, without its value. */
export function parseConfig(variables: Variables): Config {
  const { env, temporal, issues } = parseEnvironment(variables);
  if (env && temporal && issues.length === 0) return toConfig(env, temporal);
  const lines = issues.map((issue) => `  ${issue}`);
  throw new ConfigurationError(`The configuration is not valid:\n${lines.join('\n')}`);
}

export function configurationErrors(variables: Variables): string[] {
  return parseEnvironment(variables).issues;
}

function parseEnvironment(variables: Variables) {
  const given = withoutEmpty(variables);
  const { data: env, error } = environment.safeParse(given);
  const issues = [...issueMessages(error, given), ...missingForChecks(given)];
  try {
    return { env, issues, temporal: readTemporalSettings(given) };
  } catch (cause) {
    // The library's further lines quote the file, which may contain a key.
    const [reason] = (cause as Error).message.split('\n');
    return { env, issues: [...issues, `Temporal: ${reason}`], temporal: null };
  }
}

export function withoutEmpty(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([, text]) => text));
}

export function issueMessages(error: z.ZodError | undefined, given: Variables): string[] {
  return (error?.issues ?? []).map(({ path, message }) => {
    const name = String(path[0]);
    return `${name}: ${given[name] === undefined ? 'is needed' : message}`;
  });
}
