import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { print, type Place } from './harness.ts';
import { writeLargeDataset } from './import-file.ts';

const SIZE = { locations: 50_000, projects: 5000, listings: 200_000 };

/** V8 collects garbage late while there is space. */
const HEAP_MEGABYTES = 1024;

const TELL_PEAK = `data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))`;

/** `leadctl import` of the size that is promised, 100,000 listings in 1 GB and a minute, and of twice as many. */
export async function benchImport(place: Place): Promise<void> {
  for (const listings of [SIZE.listings / 2, SIZE.listings]) {
    const { seconds, peakMegabytes } = await importLarge(place, { ...SIZE, listings });
    print(
      `import with ${listings} listings: ${seconds.toFixed(0)} s, ${peakMegabytes} MB at its peak`,
    );
  }
}

/** Imports a dataset of that size into a database of its own. */
export async function importLarge({ folder, emptyUrl, copyOf }: Place, size = SIZE) {
  const file = path.join(folder, `listings-${size.listings}.json`);
  await writeLargeDataset(file, size);
  const url = await copyOf(emptyUrl, `bench_import_${databases++}`);
  return { url, ...(await importFile(file, url)) };
}

let databases = 0;

async function importFile(file: string, url: string) {
  const startedAt = performance.now();
  const leadctl = spawn(
    process.execPath,
    [
      `--max-old-space-size=${HEAP_MEGABYTES}`,
      '--import',
      TELL_PEAK,
      'cli/main.ts',
      'import',
      file,
      '--json',
    ],
    {
      env: { DATABASE_URL: url, SECRETS_KEY: '0'.repeat(64) },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const [output, [code]] = await Promise.all([text(leadctl.stderr), once(leadctl, 'exit')]);
  if (code !== 0) throw new Error(output);
  return {
    seconds: (performance.now() - startedAt) / 1000,
    peakMegabytes: Math.round(Number(output.trim().split('\n').at(-1)) / 1024),
  };
}
