import { wholeNumber } from '../arguments.ts';
import { claimLead } from '../lead/claim.ts';
import { showEvents } from '../lead/events.ts';
import { explainLead } from '../lead/explain.ts';
import { showLead } from '../lead/show.ts';
import type { CommandGroup } from '../main.ts';

export const leadCommands: CommandGroup = (program, run) => {
  const lead = program.command('lead').description('One lead: where it stands, why, and for whom.');
  lead
    .command('show')
    .description('State, holder, clock, history, timeline and events of a lead.')
    .argument('<id>', 'the lead’s id')
    .option('--personal', 'with the customer’s name, phones, e-mails and message', false)
    .action((id: string, options: { personal: boolean }) =>
      run((operator) => showLead(operator, id, options)),
    );
  lead
    .command('explain')
    .description('Why the lead went where it is: every rule, every agent, every decision.')
    .argument('<id>', 'the lead’s id')
    .option('--round <number>', 'of one round only', wholeNumber)
    .action((id: string, options: { round?: number }) =>
      run((operator) => explainLead(operator, id, options)),
    );
  lead
    .command('events')
    .description('What was announced of the lead, and what became of each call.')
    .argument('<id>', 'the lead’s id')
    .action((id: string) => run((operator) => showEvents(operator, id)));
  lead
    .command('claim')
    .description('Give a lead that waits in a pool to an agent.')
    .argument('<id>', 'the lead’s id')
    .requiredOption('--agent <email>', 'who takes it')
    .action((id: string, options: { agent: string }) =>
      run((operator) => claimLead(operator, id, options)),
    );
};
