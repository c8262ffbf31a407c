import process from 'node:process';
import type { Received } from './inbox.ts';
import { readOptions, USAGE } from './options.ts';
import { startReceiver } from './server.ts';

function optionsOrExit() {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

const { options, behaviour } = optionsOrExit();
const { port, secret, json, help } = options;

function show(call: Received): void {
  const { at, path, id, attempt, verdict, reason, answered, body, raw } = call;
  if (json) return console.log(JSON.stringify(call));
  const signature = reason ? `${verdict} (${reason})` : verdict;
  console.log(
    `\n${at}  ${path}  ${id}  try ${attempt}  signature ${signature}  answered ${answered}`,
  );
  console.log(body === undefined ? raw : JSON.stringify(body, null, 2));
}

if (help) {
  console.log(USAGE);
  process.exit();
}
const receiver = await startReceiver({ port, ...(secret && { secret }), onReceived: show });
receiver.setBehaviour(behaviour);
if (!json) {
  console.log(`Webhooks to ${receiver.url}/hooks/<anything>; page at ${receiver.url}/`);
  if (!secret) console.log('No secret is known: signatures are not verified (--secret).');
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void receiver.stop().then(() => process.exit()));
}
