import process from 'node:process';
import { latencyOf } from '../harness.ts';
import { openConnections, send } from '../send.ts';
import type { Busy } from '../fair.ts';

/** Keeps up as many requests at once as said, whatever they are answered, until the process is ended. */
const { url, token, body, atOnce } = JSON.parse(process.argv[2] ?? '') as Busy;
const agent = openConnections(atOnce);
let sent = 0;

process.send?.('begun');
process.on('disconnect', () => process.exit());
await latencyOf(
  async () => {
    sent += 1;
    const lead = { leadPhones: [`+97152${1_000_000 + sent}`], source: 'Website' };
    await send({ url, method: 'POST', body: body ?? lead }, { token, agent }).catch(
      () => undefined,
    );
  },
  { times: Infinity, atOnce },
);
