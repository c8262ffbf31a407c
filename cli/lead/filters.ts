import type { Command } from 'commander';
import type { LeadFilter } from '../../store/leads/list-leads.ts';
import { findListEntry } from '../../store/routing/names.ts';
import { since, type Since } from '../arguments.ts';
import { OperatorError, type Operator } from '../operator.ts';

/** Which leads a list shows, or a command moves. */
export interface LeadFilterOptions {
  since?: Since;
  source?: string;
  client?: string;
  rule?: string;
}

export function withLeadFilters(command: Command): Command {
  return command
    .option('--since <time>', 'there since a time or an age, such as 7d', since)
    .option('--source <name>', 'from this source')
    .option('--client <id>', 'of this integration client')
    .option('--rule <name>', 'sent there by this rule');
}

export async function readLeadFilters(
  operator: Operator,
  { since, source, client, rule }: LeadFilterOptions,
): Promise<Pick<LeadFilter, 'since' | 'sourceId' | 'clientId' | 'rule'>> {
  return {
    since: since?.(operator.now()),
    sourceId: source === undefined ? undefined : await findSource(operator, source),
    clientId: client === undefined ? undefined : await findClientKey(operator, client),
    rule,
  };
}

async function findClientKey(operator: Operator, clientId: string): Promise<string> {
  const { readClientKey } = await import('../../store/clients/manage-client.ts');
  const id = await readClientKey(await operator.database(), clientId);
  if (id === null)
    throw new OperatorError(`There is no client ${clientId}; see leadctl client list.`);
  return id;
}

async function findSource(operator: Operator, name: string): Promise<string> {
  const id = await findListEntry(await operator.database(), 'source', name);
  if (id === null) throw new OperatorError('There is no source of this name.');
  return id;
}
