import type { Command } from 'commander';
import type { LeadFilter } from '../../store/leads/list-leads.ts';
import { findClients, findListEntry, findRuleName } from '../../store/routing/names.ts';
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
    .option('--client <client>', 'of this integration client, by its id or name')
    .option('--rule <name>', 'sent there by this rule');
}

export async function readLeadFilters(
  operator: Operator,
  { since, source, client, rule }: LeadFilterOptions,
): Promise<Pick<LeadFilter, 'since' | 'sourceId' | 'clientId' | 'rule'>> {
  return {
    since: since?.(operator.now(), operator.config.companyTimeZone),
    sourceId: source === undefined ? undefined : await findSource(operator, source),
    clientId: client === undefined ? undefined : (await findOneClient(operator, client)).id,
    rule: rule === undefined ? undefined : await findRule(operator, rule),
  };
}

/** By its id or its name, where one client alone has it. */
export async function findOneClient(operator: Operator, client: string) {
  const [found, ...others] = await findClients(await operator.database(), client);
  if (found === undefined)
    throw new OperatorError(`There is no client ${client}; see leadctl client list.`);
  if (others.length === 0) return found;
  throw new OperatorError('Several clients have this name: say its id, as in leadctl client list.');
}

async function findRule(operator: Operator, rule: string): Promise<string> {
  const name = await findRuleName(await operator.database(), rule);
  if (name !== null) return name;
  throw new OperatorError('There has been no rule of this name; see leadctl rules show.');
}

async function findSource(operator: Operator, name: string): Promise<string> {
  const id = await findListEntry(await operator.database(), 'source', name);
  if (id === null) throw new OperatorError('There is no source of this name.');
  return id;
}
