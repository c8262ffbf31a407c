import { pino } from 'pino';
import { waitUntil } from '../../dev/wait-until.ts';
import { startPollLoop } from '../../worker/poll-loop.ts';

test('a loop that fails many times a second has one line then, and one when it works again', async () => {
  const lines: { msg: string; times: number }[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  let runs = 0;
  const work = async () => {
    runs += 1;
    if (runs <= 20) throw Object.assign(new Error('not shown'), { code: '25006' });
    return 0;
  };
  const loop = startPollLoop(work, { name: 'relay', everyMs: 1, log });
  await waitUntil(async () => expect(lines).toHaveLength(2), { what: 'The end of the failure' });
  await loop.stop();
  expect(lines).toMatchObject([
    { loop: 'relay', code: '25006', times: 1, msg: 'loop failed' },
    { loop: 'relay', times: 19, msg: 'loop works again' },
  ]);
});
