import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createLeadClient,
  dataOf,
  isMerged,
  type Assignment,
  type Lead,
  type LeadClient,
  type LeadCreate,
  type MergedLead,
} from './client/lead-client.ts';
import { npmCommand, runMain } from './flags.ts';
import { startProgressBar } from './progress-bar.ts';
import { readAddresses, type Addresses } from './stack/addresses.ts';
import { DEFAULT_DATA_DIR } from './stack/data-folder.ts';
import { tableText } from '../cli/table.ts';

const command = npmCommand('demo').description(
  'Sends forty enquiries to the stack that "npm start" has brought up (DATA_DIR, .data unless set), and shows the results.',
);

export interface Enquiry {
  shows: string;
  body: LeadCreate;
  waits?: true;
}

interface Result {
  enquiry: Enquiry;
  lead: Lead | MergedLead | null;
  failure?: string;
  assignment?: Assignment;
}

const ENQUIRIES = new URL('demo/enquiries.json', import.meta.url);

export const readEnquiries = async () => JSON.parse(await readFile(ENQUIRIES, 'utf8')) as Enquiry[];

async function main(): Promise<number> {
  command.parse();
  // eslint-disable-next-line no-restricted-properties -- an entry point
  const stack = await findStack(process.env['DATA_DIR'] || DEFAULT_DATA_DIR);
  const client = createLeadClient(stack);
  const results = await sendAll(client, await readEnquiries());
  await waitForOwners(client, results);
  console.log(formatResults(results));
  console.log('\nFor repeat leads, run the demo again once the merge window (24 hours) is over.');
  if (stack.temporalUiUrl) console.log(`Workflows: ${stack.temporalUiUrl}`);
  return results.every(isDone) ? 0 : 1;
}

async function findStack(dataDir: string): Promise<Addresses> {
  const folder = path.resolve(dataDir);
  const stack = readAddresses(folder);
  if (!stack)
    throw new Error(
      `No stack runs in ${folder}.\n` +
        'Start one with "npm start" in another terminal; if it has another folder, set DATA_DIR here too.',
    );
  const readyUrl = `${stack.opsUrl}/readyz`;
  const response = await fetch(readyUrl, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  if (response?.ok) return stack;
  throw new Error(
    `The stack of ${folder} does not answer at ${readyUrl}.\nStart it again with "npm start".`,
  );
}

/** Sends the enquiries in order, since some merge into the lead of an earlier one. */
async function sendAll(client: LeadClient, enquiries: readonly Enquiry[]): Promise<Result[]> {
  const results: Result[] = [];
  const bar = startProgressBar('Enquiries', enquiries.length);
  for (const enquiry of enquiries) {
    const sent = dataOf(client.POST('/public/leads', { body: enquiry.body }));
    const result = await sent.then(
      (lead) => ({ enquiry, lead }),
      (error: Error) => ({ enquiry, lead: null, failure: error.message }),
    );
    bar.update(results.push(result));
  }
  bar.stop();
  return results;
}

const OWNERS_WITHIN_MS = 120_000;

async function waitForOwners(client: LeadClient, results: readonly Result[]): Promise<void> {
  const deadline = Date.now() + OWNERS_WITHIN_MS;
  for (;;) {
    for (const result of results) await readAssignment(client, result);
    if (results.every(isDone) || Date.now() > deadline) return;
    await sleep(1000);
  }
}

async function readAssignment(client: LeadClient, result: Result): Promise<void> {
  if (!result.lead || (result.assignment && isDone(result))) return;
  const params = { path: { id: result.lead.id } };
  result.assignment = await dataOf(client.GET('/public/leads/{id}/assignment', { params }));
}

const isDone = ({ enquiry, assignment }: Result) =>
  assignment !== undefined && (enquiry.waits === true || assignment.status !== 'pending');

const HEAD = ['ENQUIRY', 'RESULT', 'STATUS', 'OWNER', 'LEAD'];

export function formatResults(results: readonly Result[]): string {
  const rows = results.map(({ enquiry: { shows }, lead, failure, assignment }) => [
    shows,
    lead ? describeLead(lead) : `failed: ${failure}`,
    assignment?.status ?? null,
    assignment?.agent?.name ?? null,
    lead?.id.slice(0, 8) ?? null,
  ]);
  return tableText(HEAD, rows);
}

function describeLead(lead: Lead | MergedLead): string {
  if (isMerged(lead)) return `merged by ${lead.matchedOn}`;
  const marks = [
    lead.isRepeatLead && 'repeat',
    lead.isAgentEnquiry && 'agent enquiry',
    lead.needsIntakeReview && 'to review',
  ];
  return ['new', ...marks.filter((mark) => mark !== false)].join(', ');
}

if (import.meta.main) await runMain(main);
