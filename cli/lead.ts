import { Option } from 'commander';
import type { Command } from 'commander';
import { ageMs, atLeastOne, wholeNumber } from './arguments.ts';
import { claimLead } from './lead/claim.ts';
import { showEvents } from './lead/events.ts';
import { explainLead } from './lead/explain.ts';
import { showLeads } from './lead/list.ts';
import { showLead } from './lead/show.ts';
import type { CommandGroup, Run } from './operator.ts';

export const leadCommands: CommandGroup = (program, run) => {
  const lead = program.command('lead').description('Leads: where they stand, why, and for whom.');
  list(lead, run);
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
    .description('What was announced of the lead, and what became of each call.')
    .argument('<id>', 'the lead’s id')
    .action(run(showEvents));
  lead
    .command('claim')
    .description('Give a lead that waits in a pool to an agent.')
    .argument('<id>', 'the lead’s id')
    .requiredOption('--agent <email>', 'who takes it')
    .action(run(claimLead));
};

const SHOWN = 50;
const STATUSES = ['pending', 'assigned', 'pool', 'unassigned'];

function list(lead: Command, run: Run): void {
  lead
    .command('list')
    .description('Leads by where they are, the longest there first.')
    .addOption(new Option('--status <status>', 'in this state').choices(STATUSES))
    .option('--agent <email>', 'held by this agent')
    .option('--waiting <age>', 'there for so long with no response, such as 90m or 2h', ageMs)
    .option('--review', 'with values that matched no record', false)
    .option('--limit <leads>', 'at most so many', atLeastOne, SHOWN)
    .action(run(showLeads));
}
