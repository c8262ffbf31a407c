import process from 'node:process';
import { leadWorkflowId } from '../workflows/contracts/lead-lifecycle.ts';
import { readCatalogue } from './demo/catalogue.ts';
import { makeEnquiries } from './demo/enquiries.ts';
import { formatReport } from './demo/report.ts';
import { findStack, isSuccessful, runDemo } from './demo/run.ts';
import { decimalNumber, npmCommand, runMain, wholeNumber } from './flags.ts';
import { createProgress } from './progress.ts';
import { DEFAULT_DATA_DIR } from './stack/data-folder.ts';

interface Options {
  count: number;
  seed: string;
  rate: number;
}

export function createCommand() {
  return npmCommand('demo')
    .description(
      'Sends realistic enquiries to the stack that "npm start" has brought up (DATA_DIR, .data unless set), waits ' +
        'until every lead is routed and every webhook delivered, and shows what became of them.',
    )
    .option('--count <n>', 'how many enquiries', wholeNumber(1, 100_000), 300)
    .option('--seed <text>', 'the same seed sends the same enquiries', 'demo')
    .option(
      '--rate <n>',
      'how many a second; 0: as fast as they are taken',
      decimalNumber(0, 1000),
      10,
    );
}

const TIMEOUT_MS = 120_000;

async function main(): Promise<number> {
  const { count, seed, rate } = createCommand().parse().opts<Options>();
  // eslint-disable-next-line no-restricted-properties -- an entry point
  const stack = await findStack(process.env['DATA_DIR'] || DEFAULT_DATA_DIR);
  const findings = await runDemo({
    stack,
    enquiries: makeEnquiries({ seed, count, catalogue: readCatalogue() }),
    perSecond: rate,
    progress: createProgress(process.stdout),
    timeoutMs: TIMEOUT_MS,
  });
  const namespace = stack.settings?.['TEMPORAL_NAMESPACE'] ?? 'default';
  const workflows = `${stack.temporalUiUrl}/namespaces/${namespace}/workflows`;
  const linkTo = (leadId: string) =>
    stack.temporalUiUrl ? `${workflows}/${encodeURIComponent(leadWorkflowId(leadId))}` : leadId;
  console.log(formatReport(findings, linkTo));
  return isSuccessful(findings) ? 0 : 1;
}

if (import.meta.main) await runMain(main);
