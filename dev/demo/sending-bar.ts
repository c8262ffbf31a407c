import process from 'node:process';
import { Presets, SingleBar } from 'cli-progress';
import type { Progress } from '../progress.ts';

export interface SendingBar {
  advance(): void;
  done(): void;
}

/** A bar for a person at a terminal; a step like the others in a log. */
export function sendingBar(total: number, progress: Progress): SendingBar {
  const title = `${total} enquiries`;
  if (!process.stdout.isTTY) {
    const { done } = progress.begin(title);
    return { advance: () => undefined, done: () => done() };
  }
  const since = Date.now();
  const format = `${title} {bar} {percentage} %  {duration_formatted}`;
  const options = { format, stream: process.stdout, clearOnComplete: true };
  const bar = new SingleBar(options, Presets.shades_classic);
  bar.start(total, 0);
  return {
    advance: () => bar.increment(),
    done() {
      bar.stop();
      progress.say(`✓ ${title.padEnd(34)} ${((Date.now() - since) / 1000).toFixed(1)} s`);
    },
  };
}
