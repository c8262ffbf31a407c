import process from 'node:process';
import { InvalidArgumentError, Option } from 'commander';
import { npmCommand, wholeNumber } from '../flags.ts';
import { behaviour, type BehaviourInput, type Received, startReceiver } from './server.ts';

export function createCommand() {
  return npmCommand('receiver')
    .description(
      'A small server that shows and verifies the webhooks that arrive at /hooks/<anything>.',
    )
    .option('--port <n>', 'where to listen, or any free port', wholeNumber(0, 65_535), 4000)
    .option('--secret <whsec_…>', 'verify signatures with this secret', secret)
    .addOption(
      new Option('--mode <mode>', 'how it behaves')
        .choices(behaviour.shape.mode.options)
        .default('ok'),
    )
    .option('--times <n>', 'behave so N times, then well again', wholeNumber(1))
    .option('--status <n>', 'what "fail" and "redirect" answer', wholeNumber(200, 599))
    .option('--delay-ms <n>', 'how long "slow" waits', wholeNumber(0))
    .option('--retry-after <n>', 'seconds, for "throttle"', wholeNumber(0))
    .option('--location <url>', 'for "redirect"')
    .option('--json', 'one JSON object per call, instead of text');
}

function secret(text: string): string {
  if (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return text;
  throw new InvalidArgumentError('Expected whsec_ and base64.');
}

interface Options extends BehaviourInput {
  port: number;
  secret?: string;
  retryAfter?: number;
  json?: true;
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
  const { port, secret, json, retryAfter, ...how } = createCommand().parse().opts<Options>();
  const onReceived = json ? (call: Received) => console.log(JSON.stringify(call)) : printCall;
  const receiver = await startReceiver({ port, secret, onReceived });
  receiver.setBehaviour({ ...how, retryAfterSeconds: retryAfter });
  if (!json) {
    console.log(`Webhooks to ${receiver.url}/hooks/<anything>; page at ${receiver.url}/`);
    if (!secret) console.log('No secret is known: signatures are not verified (--secret).');
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void receiver.stop().then(() => process.exit()));
  }
}

if (import.meta.main) await main();
