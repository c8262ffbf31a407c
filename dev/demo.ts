import process from 'node:process';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { leadWorkflowId } from '../workflows/contracts/lead-lifecycle.ts';
import { readCatalogue } from './demo/catalogue.ts';
import { makeEnquiries } from './demo/enquiries.ts';
import { formatReport } from './demo/report.ts';
import { findStack, isSuccessful, runDemo } from './demo/run.ts';
import { decimalNumber, flagMessages, wholeNumber } from './flags.ts';
import { createProgress } from './progress.ts';

const USAGE = `npm run demo -- [options]

Sends realistic enquiries to the stack that "npm start" has brought up (DATA_DIR, .data unless
set), waits until every lead is routed and every webhook delivered, and shows what became of them.

  --count N          how many enquiries (default 300)
  --seed TEXT        the same seed sends the same enquiries (default demo)
  --rate N           how many a second (default 10; 0: as fast as they are taken)
  --concurrency N    how many at once at the most (default 16)
  --data FILE        the dataset whose records they name (default the demo data)
  --help`;

const schema = z.object({
  count: wholeNumber.pipe(z.number().min(1).max(100_000)),
  seed: z.string().trim().min(1).max(40),
  concurrency: wholeNumber.pipe(z.number().min(1).max(256)),
  rate: decimalNumber.pipe(z.number().max(1000)),
  data: z.string().optional(),
});

/** Null where only help is asked for; throws what is wrong with the words. */
export function readOptions(words: readonly string[]) {
  const { values } = parseArgs({
    args: [...words],
    options: {
      count: { type: 'string', default: '300' },
      seed: { type: 'string', default: 'demo' },
      concurrency: { type: 'string', default: '16' },
      rate: { type: 'string', default: '10' },
      data: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const parsed = schema.safeParse(values);
  if (!parsed.success) throw new Error(`${flagMessages(parsed.error)}\n\n${USAGE}`);
  return parsed.data;
}

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
    progress: createProgress(process.stdout),
    timeoutMs: TIMEOUT_MS,
  });
  const workflows = `${stack.temporalUiUrl}/namespaces/${env['TEMPORAL_NAMESPACE'] || 'default'}/workflows`;
  const linkTo = (leadId: string) =>
    stack.temporalUiUrl ? `${workflows}/${encodeURIComponent(leadWorkflowId(leadId))}` : leadId;
  console.log(formatReport(findings, linkTo));
  return isSuccessful(findings) ? 0 : 1;
}

if (import.meta.main) {
  // The reader of the output has closed it, as `head` does.
  process.stdout.on('error', () => process.exit(1));
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
