import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { waitUntil } from '../../dev/wait-until.ts';
import { newFolder } from '../support/folder.ts';
import { npmStart, postLead, type NpmStart } from '../support/npm-start.ts';
import { environment, hasStopped, withMounts, withOwnMounts, type Machine } from './machine.ts';

const MEGABYTE = 1024 * 1024;
/** More creates than Postgres has room for in the pages and the write-ahead log that are there. */
const MANY = 3000;

describe('on a disk of 250 MB of its own', () => {
  let machine: Machine;
  let disk: string;
  let dataDir: string;
  let started: NpmStart;
  const stored: string[] = [];

  beforeAll(async () => {
    disk = newFolder();
    machine = await withOwnMounts('mount -t tmpfs -o size=250m,mode=755 none "$0"', disk);
    dataDir = path.join(disk, 'data');
  });
  afterAll(async () => {
    started?.npm.kill('SIGKILL');
    await machine?.end();
  });

  const filler = () => machine.seen(path.join(disk, 'filler'));
  const makeRoom = () => rmSync(filler(), { force: true });

  /** Up to the last byte. */
  function fill(): void {
    const file = openSync(filler(), 'a');
    try {
      for (let block = MEGABYTE; block >= 1; block = Math.floor(block / 2)) fillBy(file, block);
    } finally {
      closeSync(file);
    }
  }

  function fillBy(file: number, bytes: number): void {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes));
    } catch {
      // There is no room for another block of this size.
    }
  }

  async function start() {
    const { within } = machine;
    started = npmStart({ env: await environment(dataDir), dataDir: machine.seen(dataDir), within });
    return started;
  }

  withMounts('a first start says that it is full, and goes on once there is room', async () => {
    fill();
    const { ended, output } = await start();
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(output()).toMatch(new RegExp(`The disk of ${dataDir} is full \\(0\\.0 MB are free`));
    makeRoom();
    const at = await (await start()).isUp();
    expect(await postLead(at, 'first@example.com')).toMatchObject({ status: 201 });
    stored.push('first@example.com');
  });

  withMounts('requests get 503 while it is full, and each confirmed lead is kept', async () => {
    const at = await started.isUp();
    fill();
    const statuses = new Set<number>();
    for (let index = 0; index < MANY && !statuses.has(503); index += 1) {
      const email = `lead-${index}@example.com`;
      const { status } = await postLead(at, email);
      statuses.add(status);
      if (status === 201) stored.push(email);
    }
    expect([...statuses].filter((status) => status !== 201)).toEqual([503]);
    const isSaid = async () => expect(started.output()).toContain(`The disk of ${dataDir} is full`);
    await waitUntil(isSaid, { what: 'The sentence' });
    makeRoom();
    const isBack = async () => expect((await postLead(at, 'later@example.com')).status).toBe(201);
    await waitUntil(isBack, { what: 'A lead' });
    started.npm.kill('SIGKILL');
    await started.ended;
    await hasStopped(machine.seen(dataDir));
    const again = await (await start()).isUp();
    for (const email of stored.slice(-100))
      expect(await postLead(again, email)).toMatchObject({ status: 201, body: { merged: true } });
    expect(await started.interrupt()).toEqual({ code: 0, signal: null });
  });
});
