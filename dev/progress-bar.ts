import process from 'node:process';
import { Presets, SingleBar } from 'cli-progress';

/** On standard error; in a log a line now and then. */
export function startProgressBar(what: string, total: number): SingleBar {
  const format = `${what} {bar} {value}/{total}, {duration_formatted}`;
  const inLogs = { noTTYOutput: true, notTTYSchedule: 15_000 };
  // Ctrl-C would otherwise leave the terminal without line wrap.
  const options = { format, stream: process.stderr, linewrap: true, ...inLogs };
  const bar = new SingleBar(options, Presets.shades_classic);
  bar.start(total, 0);
  return bar;
}
