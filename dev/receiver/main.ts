import process from 'node:process';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { behaviour } from './behaviour.ts';
import type { Received } from './inbox.ts';
import { startReceiver } from './server.ts';

const USAGE = `npm run receiver -- [options]

A small server that shows and verifies the webhooks that arrive at /hooks/<anything>.

  --port N            where to listen (default 4000, or any free port)
  --secret whsec_…    verify signatures with this secret; without one nothing is verified
  --mode MODE         ${behaviour.shape.mode.options.join(', ')}
  --times N           behave so N times, then well again
  --status N          what "fail" and "redirect" answer
  --delay-ms N        how long "slow" waits
  --retry-after N     seconds, for "throttle"
  --location URL      for "redirect"
  --json              one JSON object per call, instead of text
  --help`;

const whole = z.string().regex(/^\d+$/, 'Expected a whole number').transform(Number);

const given = z.object({
  port: whole.pipe(z.number().max(65_535)).default(4000),
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/, 'Expected whsec_ and base64')
    .optional(),
  json: z.boolean().default(false),
  help: z.boolean().default(false),
});

const behaviourFlags = z
  .object({
    mode: behaviour.shape.mode.default('ok'),
    times: whole.optional(),
    status: whole.optional(),
    'delay-ms': whole.optional(),
    'retry-after': whole.optional(),
    location: z.string().optional(),
  })
  .transform(({ 'delay-ms': delayMs, 'retry-after': retryAfterSeconds, ...same }) => ({
    ...same,
    ...(delayMs !== undefined && { delayMs }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }))
  .pipe(behaviour);

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const FLAGS = {
  ...{ port: text, secret: text, mode: text, times: text, status: text, location: text },
  ...{ 'delay-ms': text, 'retry-after': text, json: flag, help: flag },
};

/** What the flags ask for. Throws an error whose text says what is wrong with them. */
export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options: FLAGS });
  const parsed = z
    .object({ options: given, behaviour: behaviourFlags })
    .safeParse({ options: values, behaviour: values });
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map(issueMessage).join('\n'));
}

const FLAG_OF: Record<string, string> = { delayMs: 'delay-ms', retryAfterSeconds: 'retry-after' };

function issueMessage({ path, message }: z.core.$ZodIssue): string {
  const name = String(path.at(-1));
  return `--${FLAG_OF[name] ?? name}: ${message}`;
}

function optionsOrExit() {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

function printCall(call: Received): void {
  const { at, path, id, attempt, verdict, reason, answered, body, raw } = call;
  const signature = reason ? `${verdict} (${reason})` : verdict;
  console.log(
    `\n${at}  ${path}  ${id}  try ${attempt}  signature ${signature}  answered ${answered}`,
  );
  console.log(body === undefined ? raw : JSON.stringify(body, null, 2));
}

async function main(): Promise<void> {
  const { options, behaviour: initial } = optionsOrExit();
  const { port, secret, json, help } = options;
  if (help) return console.log(USAGE);
  const onReceived = json ? (call: Received) => console.log(JSON.stringify(call)) : printCall;
  const receiver = await startReceiver({ port, ...(secret && { secret }), onReceived });
  receiver.setBehaviour(initial);
  if (!json) {
    console.log(`Webhooks to ${receiver.url}/hooks/<anything>; page at ${receiver.url}/`);
    if (!secret) console.log('No secret is known: signatures are not verified (--secret).');
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void receiver.stop().then(() => process.exit()));
  }
}

if (import.meta.main) await main();
