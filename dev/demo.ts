import process from 'node:process';
import { readCatalogue } from './demo/catalogue.ts';
import { makeEnquiries } from './demo/enquiries.ts';
import { readOptions, USAGE } from './demo/options.ts';
import { formatReport } from './demo/report.ts';
import { findStack, isSuccessful, runDemo } from './demo/run.ts';
import { createProgress } from './progress.ts';

const TIMEOUT_MS = 120_000;

// eslint-disable-next-line no-restricted-properties -- an entry point
const env = process.env;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === null) {
    console.log(USAGE);
    return 0;
  }
  const { count, seed, concurrency, rate, data } = options;
  const stack = await findStack(env['DATA_DIR'] || '.data');
  const findings = await runDemo({
    stack,
    enquiries: makeEnquiries({ seed, count, catalogue: readCatalogue(data) }),
    pace: { concurrency, perSecond: rate },
    namespace: env['TEMPORAL_NAMESPACE'] || 'default',
    progress: createProgress(process.stdout),
    timeoutMs: TIMEOUT_MS,
  });
  console.log(formatReport(findings));
  return isSuccessful(findings) ? 0 : 1;
}

// The reader of the output has closed it, as `head` does.
process.stdout.on('error', () => process.exit(1));
try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
