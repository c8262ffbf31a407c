import process from 'node:process';
import { Presets, SingleBar } from 'cli-progress';

export function createProgressBar(isJson: boolean) {
  if (isJson || !process.stderr.isTTY)
    return { onProgress: () => undefined, stop: () => undefined };
  const options = {
    format: '{section} {bar} {value}/{total}',
    stream: process.stderr,
    // Ctrl-C would otherwise leave the terminal without line wrap.
    linewrap: true,
  };
  const bar = new SingleBar(options, Presets.shades_classic);
  let current = '';
  return {
    onProgress(section: string, written: number, of: number) {
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
