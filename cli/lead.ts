import { randomUUID } from 'node:crypto';
import { Option } from 'commander';
import { withCompanyName } from '../domain/catalogue/lookups/funnel-matching.ts';
import { insertOperatorText, readOperatorNotes } from '../store/assignment/hand-overs.ts';
import { readTakenFrom } from '../store/assignment/lock-lead.ts';
import { readAssignmentHistory } from '../store/assignment/read-assignment.ts';
import {
  readLeadEvents,
  readLeadOverview,
  readLeadPerson,
  readMergedEnquiries,
  readTimeline,
  type LeadOverview,
} from '../store/leads/read-lead.ts';
import { listLeads, type LeadFilter } from '../store/leads/find-leads.ts';
import { readRecordNames, withNames } from '../store/routing/rulesets.ts';
import type { LeadStatus } from '../workflows/contracts/lead-snapshot.ts';
import { findAgent } from './agent/find-agent.ts';
import { claimForAgent } from './lead/claim.ts';
import {
  findLead,
  LEAD_TEXT,
  readLeadFilters,
  showFoundLeads,
  withLeadFilters,
  type LeadFilterOptions,
} from './lead/find.ts';
import { addHandOverCommands } from './lead/hand-over.ts';
import { decisionsText } from './views/explanation.ts';
import { eventsText, leadsText, leadText } from './views/lead.ts';
import { ageMs, atLeastOne, since, wholeNumber, type Since } from './arguments.ts';
import { canAsk, confirm } from './confirm.ts';
import { OperatorError, type CommandGroup, type Operator } from './operator.ts';
import { cutNote, durationText, timeText } from './text.ts';

const LIST_LIMIT = 50;
const STATUSES: readonly LeadStatus[] = ['pending', 'assigned', 'pool', 'unassigned'];

export const leadCommands: CommandGroup = (program, run) => {
  const lead = program.command('lead').description('Leads: where they are, why, and for whom.');
  withLeadFilters(lead.command('list'))
    .description('Leads by where they are, the longest there first.')
    .addOption(new Option('--status <status>', 'in this state').choices(STATUSES))
    .option('--agent <agent>', 'held by this agent')
    .option('--waiting <age>', 'there for so long with no response, such as 90m or 2h', ageMs)
    .option('--review', 'with values that matched no record', false)
    .addOption(
      new Option('--order <order>', 'who comes first')
        .choices(['oldest', 'newest'])
        .default('oldest'),
    )
    .option('--limit <leads>', 'at most so many', atLeastOne, LIST_LIMIT)
    .action(run(showLeads));
  lead
    .command('find')
    .description(
      'Find leads by a phone or its last four to seven digits, an e-mail, a name, a reference or the beginning of an id; newest first.',
    )
    .argument(
      '<text>',
      'as the customer says it: 050 123 4567, 4567, sara@mail.example, Sara H, 5f0c9f5e',
    )
    .option('--personal', 'with the customer’s names, phones and e-mails', false)
    .option('--limit <leads>', 'at most so many', atLeastOne, LIST_LIMIT)
    .action(run(showFoundLeads));
  lead
    .command('show')
    .description('State, holder, clock, history, timeline and events of a lead.')
    .argument('<text>', LEAD_TEXT)
    .option('--personal', 'with the customer’s name, phones, e-mails and message', false)
    .action(run(showLead));
  lead
    .command('explain')
    .description('Why the lead went where it is: every rule, every agent, every decision.')
    .argument('<text>', LEAD_TEXT)
    .option('--round <number>', 'of one round only', wholeNumber)
    .action(run(explainLead));
  lead
    .command('events')
    .description('Webhook events of the lead, and the result of each call.')
    .argument('<text>', LEAD_TEXT)
    .action(run(showEvents));
  lead
    .command('claim')
    .description('Give a lead that waits in a pool to an agent.')
    .argument('<text>', LEAD_TEXT)
    .requiredOption('--agent <agent>', 'who takes it')
    .action(run(claim));
  addHandOverCommands(lead, run);
  lead
    .command('respond')
    .description('Record that the agent responded: the response clock stops.')
    .argument('<text>', LEAD_TEXT)
    .option(
      '--at <time>',
      'when: 20m for 20 minutes ago, or a time such as 2026-11-01T08:00',
      since,
    )
    .option(
      '--yes',
      'also where nobody has held the lead, or a response is recorded already, without a question',
      false,
    )
    .action(run(respond));
  lead
    .command('note')
    .description('Write a note to a lead; the erasure of its person deletes it.')
    .argument('<text>', LEAD_TEXT)
    .argument('<note>', 'in your own words')
    .action(run(writeNote));
};

interface ListOptions extends LeadFilterOptions, Pick<LeadFilter, 'order' | 'limit'> {
  status?: LeadStatus;
  agent?: string;
  review: boolean;
  waiting?: number;
}

async function showLeads(operator: Operator, options: ListOptions) {
  const { status = null, agent, review, waiting, order, limit } = options;
  const now = operator.now();
  const leads = await listLeads(await operator.database(), {
    status,
    agentId: agent === undefined ? null : (await findAgent(operator, agent)).id,
    ...(await readLeadFilters(operator, options)),
    needsReview: review,
    waitingSince: waiting === undefined ? null : new Date(now.getTime() - waiting),
    order,
    limit,
  });
  operator.show(leads.rows, (rows) => leadsText(rows, now), cutNote(leads, 'lead'));
}

async function showLead(operator: Operator, text: string, { personal }: { personal: boolean }) {
  const leadId = await findLead(operator, text);
  const database = await operator.database();
  const overview = await readLeadOverview(database, leadId, operator.config.companyName);
  if (!overview) throw new OperatorError(`Lead ${leadId} not found.`);
  const time = { now: operator.now(), followUpMs: operator.config.followUpMs };
  const [history, timeline, events, takenFrom, notes, mergedEnquiries, person] = await Promise.all([
    readAssignmentHistory(database, leadId),
    readTimeline(database, leadId),
    readLeadEvents(database, leadId),
    readTakenFrom(database, leadId, time),
    readOperatorNotes(database, leadId),
    readMergedEnquiries(database, leadId, personal),
    personal ? readLeadPerson(database, leadId) : null,
  ]);
  const names = await readRecordNames(database, timeline);
  const view = {
    ...overview,
    takenFrom,
    ...(person && { person }),
    assignments: history.map(({ explanation: _explanation, ...entry }) => entry),
    timeline: timeline.map((note) => ({ ...note, text: withNames(note.text, names) })),
    notes,
    mergedEnquiries,
    events,
  };
  operator.show(view, (shown) => leadText(shown, operator.now()));
}

async function explainLead(operator: Operator, id: string, { round }: { round?: number }) {
  const leadId = await findLead(operator, id);
  const database = await operator.database();
  const history = await readAssignmentHistory(database, leadId);
  const decisions = history.filter((entry) => round === undefined || entry.round === round);
  if (round !== undefined && decisions.length === 0) {
    throw new OperatorError(`Nothing was decided of lead ${leadId} in round ${round}.`);
  }
  const ids = decisions.map(({ reason, explanation }) => ({ reason, explanation }));
  const found = await readRecordNames(database, ids);
  const { companyName } = operator.config;
  const names = [...found].map(([key, name]) => [key, withCompanyName(name, companyName)] as const);
  const view = {
    leadId,
    decisions: decisions.map((entry) => ({ ...entry, reason: withNames(entry.reason, found) })),
    names: Object.fromEntries(names),
  };
  operator.show(view, (shown) => decisionsText(shown.decisions, shown.names));
}

async function showEvents(operator: Operator, id: string) {
  const leadId = await findLead(operator, id);
  operator.show(await readLeadEvents(await operator.database(), leadId), eventsText);
}

async function claim(operator: Operator, id: string, { agent: email }: { agent: string }) {
  const leadId = await findLead(operator, id);
  await claimForAgent(operator, leadId, await findAgent(operator, email));
}

/**
 * Accepts responses for leads older than 30 days, since a pool lead may be claimed after months. The last response
 * counts, so that a script can correct a response. A person, who may have typed it twice, is asked.
 */
async function respond(operator: Operator, text: string, options: { at?: Since; yes: boolean }) {
  const leadId = await findLead(operator, text);
  const [database, now] = [await operator.database(), operator.now()];
  const lead = await readLeadOverview(database, leadId, operator.config.companyName);
  const at = options.at?.(now, operator.config.companyTimeZone) ?? now;
  const seconds = Math.round((at.getTime() - (lead?.createdAt ?? now).getTime()) / 1000);
  if (at > now || seconds < 0)
    throw new OperatorError('The response comes after the enquiry, and not in the future.');
  if (lead?.holder && lead.assignedAt && at < lead.assignedAt)
    throw new OperatorError(
      `${lead.holder.name} got the lead only after that; see leadctl lead show ${leadId}.`,
    );
  const history = await readAssignmentHistory(database, leadId);
  const isHeldByNobody = !lead?.holder && history.every(({ agent }) => agent === null);
  if (isHeldByNobody)
    await confirm(
      operator,
      `Nobody has held lead ${leadId}: leadctl lead assign gives it to the agent who responded, and no response clock starts for anybody once a response is recorded.`,
      options,
    );
  const replaced =
    lead && lead.responseSeconds !== null
      ? replacedText(lead, operator.config.companyTimeZone)
      : null;
  if (replaced && canAsk(operator)) await confirm(operator, replaced, options);
  const recordedBy = { reader: null, readerName: 'An operator' };
  const response = { leadId, seconds, at: now, respondedAt: at, ...recordedBy };
  const { recordResponse } = await import('../app/assignment/respond.ts');
  await recordResponse(database, { ...response, newId: randomUUID });
  const whose = lead?.holder ? `The response of ${lead.holder.name}` : 'A response';
  const done = `${whose} is recorded, ${durationText(seconds)} after the enquiry.`;
  const view = { leadId, seconds, respondedAt: at, holder: lead?.holder ?? null, replaced };
  operator.show(view, () => (replaced ? `${done}\n${replaced}` : done));
}

function replacedText(
  { holder, respondedAt, responseSeconds, responseInSeconds }: LeadOverview,
  timeZone: string,
): string {
  const whose =
    holder && responseInSeconds === null ? 'a response of an earlier agent' : 'a response';
  const after = durationText(responseSeconds ?? 0);
  return `This takes the place of ${whose} ${after} after the enquiry, ${timeText(respondedAt, timeZone)}.`;
}

const LONGEST_NOTE = 10_000;

async function writeNote(operator: Operator, text: string, note: string) {
  if (note.trim() === '') throw new OperatorError('The note is empty.');
  if (note.length > LONGEST_NOTE) throw new OperatorError('A note has at most 10,000 characters.');
  const leadId = await findLead(operator, text);
  const [author, now] = [operator.author, operator.now()];
  const written = { id: randomUUID(), leadId, handOverId: null, author, text: note, now };
  if (!(await insertOperatorText(await operator.database(), written)))
    throw new OperatorError('The person of this lead was erased: it takes no note.');
  operator.show({ leadId, author, note }, () => `Noted; leadctl lead show ${leadId} shows it.`);
}
