import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { startPostgres, type Postgres } from '../../dev/postgres.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { findAnswer, keepAnswer, query, spawnParent } from '../dev/support.ts';
import { newFolder } from '../support/folder.ts';
import { runProgram } from '../support/program.ts';
import { asRoot } from './machine.ts';

let folder: string;
let dataDir: string;
let running: Postgres[] = [];

beforeEach(() => {
  folder = newFolder();
  dataDir = path.join(folder, 'postgres');
});

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  running = [];
});

async function start(place = dataDir): Promise<Postgres> {
  const server = await startPostgres({ dataDir: place });
  running.push(server);
  return server;
}

/** Whether the folder of a cluster in the making has something in it. */
function isAtIt(place: string): boolean {
  const drafts = readdirSync(place, { withFileTypes: true });
  return drafts.some(
    (each) => each.isDirectory() && readdirSync(path.join(place, each.name)).includes('global'),
  );
}

describe('the embedded Postgres', () => {
  asRoot('gives a cluster that was unpacked as root’s to its account', async () => {
    await keepAnswer(await start());
    await runProgram('chown', ['-R', '0:0', dataDir]);
    await findAnswer(await start());
  });

  test('has its data in the folder: a copy and a renamed folder have them too, each its own', async () => {
    const original = await start();
    await query(original.superuserUrl, 'create table kept as select 42 as answer');
    await query(original.superuserUrl, 'checkpoint');
    await runProgram('cp', ['-a', folder, `${folder}-copy`]);
    await findAnswer(await start(path.join(`${folder}-copy`, 'postgres')));
    expect(await query(original.superuserUrl, 'table kept')).toEqual([{ answer: 42 }]);

    await original.stop();
    renameSync(folder, `${folder}-renamed`);
    await findAnswer(await start(path.join(`${folder}-renamed`, 'postgres')));
  });

  test('starts while the initdb of a start that was killed is still at it', async () => {
    for (let round = 1; round <= 3; round += 1) {
      const place = path.join(folder, String(round));
      const parent = spawnParent('postgres', place);
      await waitUntil(async () => assert(isAtIt(place)), { what: 'initdb' });
      parent.kill('SIGKILL');
      await once(parent, 'exit');
      const { superuserUrl, stop } = await start(path.join(place, 'postgres'));
      expect(await query(superuserUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
      await stop();
    }
  });
});
