import { agentCommands } from './agent.ts';
import { clientCommands } from './client.ts';
import { completionCommand } from './completion.ts';
import { dncrCommands } from './dncr.ts';
import { exportCommand } from './export.ts';
import { historyCommands } from './history.ts';
import { importCommand } from './import.ts';
import { leadCommands } from './lead.ts';
import { personCommands } from './person.ts';
import { reportCommands } from './report.ts';
import { rulesCommands } from './rules.ts';
import { statusCommand } from './status.ts';
import { tokenCommands } from './token.ts';
import { webhookCommands } from './webhook.ts';
import type { CommandGroup } from './operator.ts';

/** All of leadctl, in the order of its help. */
export const commandGroups: readonly CommandGroup[] = [
  statusCommand,
  clientCommands,
  tokenCommands,
  webhookCommands,
  importCommand,
  exportCommand,
  rulesCommands,
  agentCommands,
  leadCommands,
  personCommands,
  reportCommands,
  historyCommands,
  dncrCommands,
  completionCommand,
];
