import os from 'node:os';
import process from 'node:process';
import { cacheFolder } from './cache-folder.ts';
import { lastLines, type Exit } from './process/supervised.ts';
import { createProgress } from './progress.ts';
import { createStack, type StackControl } from './stack.ts';
import { formatReadyMessage } from './stack/addresses.ts';
import { describeFullDisks } from './stack/data-folder.ts';

/** One Ctrl-C reaches this process several times: from the terminal, from npm and from the launcher. */
const SAME_PRESS_MS = 1000;
const POLL_INTERVAL_MS = 250;
const DISK_CHECK_EVERY_MS = 5000;

const progress = createProgress(process.stdout);
// eslint-disable-next-line no-restricted-properties -- an entry point
const env = process.env;
let firstSignalAt: number | undefined;
let wasFull = false;

const stack = open();

function open(): StackControl {
  try {
    return createStack({ env, progress, onUnexpectedExit });
  } catch (error) {
    return fail(error);
  }
}

function onUnexpectedExit(service: string, { code, signal }: Exit, logFile: string): void {
  progress.say(
    `\nThe ${service} ended unexpectedly (${signal ?? `code ${code}`}). Its last lines:`,
  );
  progress.say(`${lastLines(logFile, 15)}\n(all of it: ${logFile})\n`);
  reportFullDisks();
  leave(1);
}

function reportFullDisks(): void {
  // Downloads and copies of programs are below the other two folders.
  const folders = [stack.dataDir, os.tmpdir(), cacheFolder(env)];
  for (const sentence of describeFullDisks(folders)) progress.say(sentence);
}

function checkDisk(): void {
  const [sentence] = describeFullDisks([stack.dataDir]);
  if (sentence && !wasFull) progress.say(`\n${sentence} Until then writes are refused with 503.`);
  if (!sentence && wasFull) progress.say(`There is room again in ${stack.dataDir}.`);
  wasFull = sentence !== undefined;
}

function report(error: unknown): void {
  progress.say(error instanceof Error ? error.message : String(error));
}

function fail(error: unknown): never {
  report(error);
  process.exit(1);
}

function leave(code: number): void {
  progress.abandon();
  stack.stop().then(() => process.exit(code), fail);
}

function onSignal(): void {
  const now = Date.now();
  if (firstSignalAt !== undefined && now - firstSignalAt < SAME_PRESS_MS) return;
  if (firstSignalAt !== undefined) process.exit(1); // the supervisors then end their programs
  firstSignalAt = now;
  progress.say('Stopping; once more to force it.');
  leave(0);
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
  setInterval(() => String(process.ppid) !== launcher && leave(1), POLL_INTERVAL_MS).unref();
try {
  const up = await stack.start();
  progress.say(formatReadyMessage(up, up.dataDir));
} catch (error) {
  if (firstSignalAt === undefined) {
    report(error);
    reportFullDisks();
    leave(1);
  }
}
