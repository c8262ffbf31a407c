import { Option, type Command } from 'commander';
import { withCompanyName } from '../domain/catalogue/lookups/funnel-matching.ts';
import { readOperatorNotes } from '../store/assignment/operator-texts.ts';
import { readTakenFrom } from '../store/assignment/lock-lead.ts';
import { readAssignmentHistory } from '../store/assignment/read-assignment.ts';
import {
  readLeadEvents,
  readLeadOverview,
  readLeadPerson,
  readTimeline,
} from '../store/leads/lead-overview.ts';
import { listLeads, type LeadFilter } from '../store/leads/find-leads.ts';
import { readRecordNames, withNames } from '../store/routing/names.ts';
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
import { addUndoCommand } from './lead/undo.ts';
import { addWriteCommands } from './lead/write.ts';
import { decisionsText } from './views/explanation.ts';
import { eventsText, leadsText, leadText } from './views/lead.ts';
import { ageMs, atLeastOne, wholeNumber } from './arguments.ts';
import { OperatorError, type CommandGroup, type Operator, type Run } from './operator.ts';
import { cutNote, type Names } from './text.ts';

export const leadCommands: CommandGroup = (program, run) => {
  const lead = program.command('lead').description('Leads: where they are, why, and for whom.');
  addListCommand(lead, run);
  addFindCommand(lead, run);
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
  addUndoCommand(lead, run);
  addWriteCommands(lead, run);
};

const LIST_LIMIT = 50;
const STATUSES: readonly LeadStatus[] = ['pending', 'assigned', 'pool', 'unassigned'];

function addListCommand(lead: Command, run: Run): void {
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
}

function addFindCommand(lead: Command, run: Run): void {
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
}

interface ListOptions extends LeadFilterOptions, Pick<LeadFilter, 'status' | 'order' | 'limit'> {
  agent?: string;
  review: boolean;
  /** Milliseconds. */
  waiting?: number;
}

async function showLeads(operator: Operator, options: ListOptions) {
  const { status, agent, review, waiting, order, limit } = options;
  const now = operator.now();
  const leads = await listLeads(await operator.database(), {
    status,
    agentId: agent === undefined ? undefined : (await findAgent(operator, agent)).id,
    ...(await readLeadFilters(operator, options)),
    needsReview: review,
    waitingSince: waiting === undefined ? undefined : new Date(now.getTime() - waiting),
    order,
    limit,
  });
  operator.show(leads.rows, leadsText, cutNote(leads, 'lead'));
}

/** The customer's own data is read only with `personal`. */
async function showLead(operator: Operator, text: string, { personal }: { personal: boolean }) {
  const leadId = await findLead(operator, text);
  const database = await operator.database();
  const overview = await readLeadOverview(database, leadId, operator.config.companyName);
  if (!overview) throw new OperatorError(`Lead ${leadId} not found.`);
  const time = { now: operator.now(), followUpMs: operator.config.followUpMs };
  const [history, timeline, events, takenFrom, notes, person] = await Promise.all([
    readAssignmentHistory(database, leadId),
    readTimeline(database, leadId),
    readLeadEvents(database, leadId),
    readTakenFrom(database, leadId, time),
    readOperatorNotes(database, leadId),
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
  const names = [...found].map(([key, name]) => [key, withCompanyName(name, companyName)]);
  const view = {
    leadId,
    decisions: decisions.map((entry) => ({ ...entry, reason: withNames(entry.reason, found) })),
    names: Object.fromEntries(names) as Names,
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
