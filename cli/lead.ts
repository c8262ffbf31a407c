import { Option, type Command } from 'commander';
import { withCompanyName } from '../domain/catalogue/lookups/funnel-matching.ts';
import { readAssignmentHistory } from '../store/assignment/read-assignment.ts';
import { readLeadEvents } from '../store/leads/lead-events.ts';
import {
  leadExists,
  readLeadOverview,
  readLeadPerson,
  readTimeline,
} from '../store/leads/lead-overview.ts';
import { listLeads } from '../store/leads/list-leads.ts';
import { readRecordNames, withNames } from '../store/routing/names.ts';
import type { LeadStatus } from '../workflows/contracts/lead-snapshot.ts';
import { findAgentByEmail } from './agent.ts';
import { ageMs, atLeastOne, parseUuid, wholeNumber } from './arguments.ts';
import { claimForAgent } from './lead/claim.ts';
import { OperatorError, type CommandGroup, type Operator, type Run } from './operator.ts';
import { decisionsText } from './views/explanation.ts';
import { eventsText, leadsText, leadText, type LeadView } from './views/lead.ts';

export const leadCommands: CommandGroup = (program, run) => {
  const lead = program.command('lead').description('Leads: where they are, why, and for whom.');
  addListCommand(lead, run);
  lead
    .command('show')
    .description('State, holder, clock, history, timeline and events of a lead.')
    .argument('<id>', 'the lead’s id')
    .option('--personal', 'with the customer’s name, phones, e-mails and message', false)
    .action(run(showLead));
  lead
    .command('explain')
    .description('Why the lead went where it is: every rule, every agent, every decision.')
    .argument('<id>', 'the lead’s id')
    .option('--round <number>', 'of one round only', wholeNumber)
    .action(run(explainLead));
  lead
    .command('events')
    .description('Webhook events of the lead, and the result of each call.')
    .argument('<id>', 'the lead’s id')
    .action(run(showEvents));
  lead
    .command('claim')
    .description('Give a lead that waits in a pool to an agent.')
    .argument('<id>', 'the lead’s id')
    .requiredOption('--agent <email>', 'who takes it')
    .action(run(claim));
};

const LIST_LIMIT = 50;
const STATUSES: readonly LeadStatus[] = ['pending', 'assigned', 'pool', 'unassigned'];

function addListCommand(lead: Command, run: Run): void {
  lead
    .command('list')
    .description('Leads by where they are, the longest there first.')
    .addOption(new Option('--status <status>', 'in this state').choices(STATUSES))
    .option('--agent <email>', 'held by this agent')
    .option('--waiting <age>', 'there for so long with no response, such as 90m or 2h', ageMs)
    .option('--review', 'with values that matched no record', false)
    .option('--limit <leads>', 'at most so many', atLeastOne, LIST_LIMIT)
    .action(run(showLeads));
}

interface ListOptions {
  status?: LeadStatus;
  agent?: string;
  review: boolean;
  /** Milliseconds. */
  waiting?: number;
  limit: number;
}

async function showLeads(operator: Operator, options: ListOptions) {
  const { status = null, agent, review, waiting, limit } = options;
  const leads = await listLeads(await operator.database(), {
    status,
    agentId: agent === undefined ? null : (await findAgentByEmail(operator, agent)).id,
    needsReview: review,
    waitingSince: waiting === undefined ? null : new Date(operator.now().getTime() - waiting),
    limit,
  });
  operator.show(leads, leadsText);
}

/** The customer's own data is read only with `personal`. */
async function showLead(operator: Operator, id: string, { personal }: { personal: boolean }) {
  const leadId = parseUuid(id, 'a lead');
  const database = await operator.database();
  const overview = await readLeadOverview(database, leadId, operator.config.companyName);
  if (!overview) throw new OperatorError(`There is no lead ${leadId}.`);
  const [history, timeline, events, person] = await Promise.all([
    readAssignmentHistory(database, leadId),
    readTimeline(database, leadId),
    readLeadEvents(database, leadId),
    personal ? readLeadPerson(database, leadId) : null,
  ]);
  const texts = timeline.map(({ text }) => text);
  const names = await readRecordNames(database, texts);
  const view: LeadView = {
    ...overview,
    ...(person ? { person } : {}),
    assignments: history.map(({ explanation: _explanation, ...entry }) => entry),
    timeline: timeline.map((note) => ({ ...note, text: withNames(note.text, names) })),
    events,
  };
  operator.show(view, () => leadText(view, operator.now()));
}

/** The id of a lead that exists: no command answers emptily for a mistyped id. */
async function findLead(operator: Operator, id: string): Promise<string> {
  const leadId = parseUuid(id, 'a lead');
  if (await leadExists(await operator.database(), leadId)) return leadId;
  throw new OperatorError(`There is no lead ${leadId}.`);
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
  const names = new Map([...found].map(([key, name]) => [key, withCompanyName(name, companyName)]));
  const view = {
    leadId,
    decisions: decisions.map((entry) => ({ ...entry, reason: withNames(entry.reason, found) })),
    names: Object.fromEntries(names),
  };
  operator.show(view, () => decisionsText(view.decisions, names));
}

async function showEvents(operator: Operator, id: string) {
  const leadId = await findLead(operator, id);
  operator.show(await readLeadEvents(await operator.database(), leadId), eventsText);
}

async function claim(operator: Operator, id: string, { agent: email }: { agent: string }) {
  const leadId = await findLead(operator, id);
  await claimForAgent(operator, leadId, await findAgentByEmail(operator, email));
}
