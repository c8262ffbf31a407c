import process from 'node:process';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { behaviour, type BehaviourWish } from './behaviour.ts';
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

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4000' },
    secret: { type: 'string' },
    mode: { type: 'string', default: 'ok' },
    times: { type: 'string' },
    status: { type: 'string' },
    'delay-ms': { type: 'string' },
    'retry-after': { type: 'string' },
    location: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function wishFrom(flags: typeof values): BehaviourWish {
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const wish = behaviour.safeParse({
    mode: flags.mode,
    times: number(flags.times),
    status: number(flags.status),
    delayMs: number(flags['delay-ms']),
    retryAfterSeconds: number(flags['retry-after']),
    location: flags.location,
  });
  if (wish.success) return wish.data;
  console.error(`${z.prettifyError(wish.error)}\n\n${USAGE}`);
  process.exit(2);
}

function show(call: Received): void {
  const { at, path, id, attempt, verdict, reason, answered, body, raw } = call;
  if (values.json) return console.log(JSON.stringify(call));
  const signature = reason ? `${verdict} (${reason})` : verdict;
  console.log(
    `\n${at}  ${path}  ${id}  try ${attempt}  signature ${signature}  answered ${answered}`,
  );
  console.log(body === undefined ? raw : JSON.stringify(body, null, 2));
}

if (values.help) {
  console.log(USAGE);
  process.exit();
}
const wish = wishFrom(values);
const receiver = await startReceiver({
  port: Number(values.port),
  ...(values.secret && { secret: values.secret }),
  onReceived: show,
});
receiver.setBehaviour(wish);
if (!values.json) {
  console.log(`Webhooks to ${receiver.url}/hooks/<anything>; page at ${receiver.url}/`);
  if (!values.secret) console.log('No secret is known: signatures are not verified (--secret).');
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void receiver.stop().then(() => process.exit()));
}
