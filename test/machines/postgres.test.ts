import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

/** A cluster as an earlier release kept it for root; returns the folder that it made for it. */
async function keepElsewhere(): Promise<string> {
  await keepAnswer(await start());
  const base = mkdtempSync('/var/tmp/lead-intake-postgres-');
  await runProgram('mv', [dataDir, path.join(base, 'data')]);
  symlinkSync(path.join(base, 'data'), dataDir);
  writeFileSync(path.join(base, 'linked-from'), dataDir);
  return base;
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

  asRoot('moves in what an earlier release kept in another place', async () => {
    const base = await keepElsewhere();
    const copy = path.join(folder, 'copy');
    symlinkSync(path.join(base, 'data'), copy);
    await findAnswer(await start(copy));
    expect(existsSync(base)).toBe(true);

    const moved = await start();
    expect(lstatSync(dataDir).isDirectory()).toBe(true);
    expect(existsSync(base)).toBe(false);
    await findAnswer(moved);
  });

  asRoot(
    'moves it in after a move that was killed, while it copied and between its two renames',
    async () => {
      const base = await keepElsewhere();
      const parent = spawnParent('postgres', folder);
      const hasBegun = async () => assert(isAtIt(folder) || lstatSync(dataDir).isDirectory());
      await waitUntil(hasBegun, { what: 'The copy', everyMs: 1 });
      parent.kill('SIGKILL');
      await once(parent, 'exit');
      const isMoved = !lstatSync(dataDir).isSymbolicLink();
      if (!isMoved) {
        renameSync(dataDir, `${dataDir}.new-killed.link`);
        mkdirSync(`${dataDir}.new-killed`);
      }
      await findAnswer(await start());
      expect(readdirSync(folder).filter((name) => name.includes('.new-'))).toEqual([]);
      if (!isMoved) expect(existsSync(base)).toBe(false);
      rmSync(base, { recursive: true, force: true });
    },
  );

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
