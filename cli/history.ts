import { saveHistory } from './history/save.ts';
import type { CommandGroup } from './operator.ts';

export const historyCommands: CommandGroup = (program, run) => {
  const history = program.command('history').description('Histories of workflows, for replay.');
  history
    .command('save')
    .description('Save the history of a lead’s workflow as the replay tests read it.')
    .argument('<lead>', 'the lead’s id')
    .argument('<file>', 'where to write it')
    .option('--run <runId>', 'another run than the newest')
    .action(run(saveHistory));
};
