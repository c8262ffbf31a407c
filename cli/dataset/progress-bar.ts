import process from 'node:process';
import { Presets, SingleBar } from 'cli-progress';

export interface ImportProgress {
  onProgress(section: string, written: number, of: number): void;
  stop(): void;
}

/** A bar per section, for a person at a terminal only; it never mixes with what a program reads. */
export function importProgress(isJson: boolean): ImportProgress {
  if (isJson || !process.stderr.isTTY)
    return { onProgress: () => undefined, stop: () => undefined };
  const options = { format: '{section} {bar} {value}/{total}', stream: process.stderr };
  const bar = new SingleBar(options, Presets.shades_classic);
  let current = '';
  return {
    onProgress(section, written, of) {
      if (section !== current) {
        if (current) bar.stop();
        bar.start(of, 0, { section: section.padEnd(17) });
        current = section;
      }
      bar.update(Math.min(written, of));
    },
    stop: () => bar.stop(),
  };
}
