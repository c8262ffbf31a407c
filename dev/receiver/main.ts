import process from 'node:process';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { flagMessages, wholeNumber } from '../flags.ts';
import { behaviour, type Received, startReceiver } from './server.ts';

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

const { mode, times, status, delayMs, retryAfterSeconds, location } = behaviour.shape;

const flags = z.object({
  port: wholeNumber.optional().pipe(z.number().max(65_535).default(4000)),
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/, 'Expected whsec_ and base64')
    .optional(),
  mode: mode.default('ok'),
  times: wholeNumber.optional().pipe(times),
  status: wholeNumber.optional().pipe(status),
  'delay-ms': wholeNumber.optional().pipe(delayMs),
  'retry-after': wholeNumber.optional().pipe(retryAfterSeconds),
  location,
  json: z.boolean().default(false),
  help: z.boolean().default(false),
});

/** What the flags ask for. Throws an error whose text says what is wrong with them. */
export function readOptions(args: readonly string[]) {
  const options = Object.fromEntries(
    Object.keys(flags.shape).map((name) => {
      return [name, { type: name === 'json' || name === 'help' ? 'boolean' : 'string' } as const];
    }),
  );
  const parsed = flags.safeParse(parseArgs({ args: [...args], options }).values);
  if (!parsed.success) throw new Error(flagMessages(parsed.error));
  const { port, secret, json, help, ...how } = parsed.data;
  const { 'delay-ms': delayMs, 'retry-after': retryAfterSeconds } = how;
  return { port, secret, json, help, behaviour: { ...how, delayMs, retryAfterSeconds } };
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
  const { port, secret, json, help, behaviour: initial } = optionsOrExit();
  if (help) return console.log(USAGE);
  const onReceived = json ? (call: Received) => console.log(JSON.stringify(call)) : printCall;
  const receiver = await startReceiver({ port, secret, onReceived });
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
