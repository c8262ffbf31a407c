import os from 'node:os';
import process from 'node:process';
import { cacheFolder } from './cache-folder.ts';
import { lastLines } from './process/supervised.ts';
import { createProgress } from './progress.ts';
import { createStack, type StackControl } from './stack.ts';
import { formatReadyMessage } from './stack/addresses.ts';
import { describeFullDisk } from './stack/data-folder.ts';

/** One Ctrl-C reaches this process several times: from the terminal, from npm and from the launcher. */
const SAME_PRESS_MS = 1000;
const POLL_INTERVAL_MS = 250;
const DISK_CHECK_EVERY_MS = 5000;

const progress = createProgress(process.stdout);
// eslint-disable-next-line no-restricted-properties -- an entry point
const env = process.env;
let stack: StackControl | undefined;
let firstSignalAt: number | undefined;
let wasFull = false;

function fail(reason: string): void {
  progress.say(reason);
  // Downloads and copies of programs are below the other two folders.
  const full = stack && describeFullDisk(stack.dataDir, os.tmpdir(), cacheFolder(env));
  if (full) progress.say(full);
  void leave(1);
}

async function leave(code: number): Promise<void> {
  try {
    await stack?.stop();
    process.exit(code);
  } catch (error) {
    progress.say(messageOf(error));
    process.exit(1);
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function checkDisk(): void {
  const full = stack && describeFullDisk(stack.dataDir);
  if (full && !wasFull) progress.say(`\n${full} Until then writes are refused with 503.`);
  wasFull = full !== undefined;
}

function onSignal(): void {
  const now = Date.now();
  if (firstSignalAt !== undefined && now - firstSignalAt < SAME_PRESS_MS) return;
  if (firstSignalAt !== undefined) process.exit(1); // the supervisor then ends the programs
  firstSignalAt = now;
  progress.say('Stopping; once more to force it.');
  void leave(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // The terminal or a `head` was closed, and each further line fails too. A full disk is no reason to stop.
  if (firstSignalAt === undefined && code !== 'ENOSPC') onSignal();
});
setInterval(checkDisk, DISK_CHECK_EVERY_MS).unref();
const launcher = String(process.ppid);
// A launcher that is ended by SIGKILL forwards no signal.
if (env['LAUNCHED_BY'] === launcher)
  setInterval(() => String(process.ppid) !== launcher && void leave(1), POLL_INTERVAL_MS).unref();

try {
  stack = createStack({
    env,
    progress,
    onUnexpectedExit(service, { code, signal }, logFile) {
      const how = signal ?? `code ${code}`;
      progress.say(`\nThe ${service} ended unexpectedly (${how}). Its last lines:`);
      fail(`${lastLines(logFile, 15)}\n(all of it: ${logFile})\n`);
    },
  });
  const up = await stack.start();
  progress.say(formatReadyMessage(up, up.dataDir));
} catch (error) {
  if (firstSignalAt === undefined) fail(messageOf(error));
}
