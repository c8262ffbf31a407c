import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander';
import { countMoved } from '../../store/assignment/hand-overs.ts';
import { readUnheldLeads, type UnheldFilter } from '../../store/leads/list-leads.ts';
import { readRecordNames } from '../../store/routing/names.ts';
import { parseUuid } from '../arguments.ts';
import { mayProceed, withConsent, type Consent } from '../confirm.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { count } from '../text.ts';
import { manyText } from '../views/hand-over.ts';
import { readLeadFilters, withLeadFilters, type LeadFilterOptions } from './filters.ts';
import {
  handOverEach,
  requestHandOver,
  type RequestOptions,
  type Target,
} from './hand-over-request.ts';

/** Leads that nobody holds and that rules have done with. */
const UNHELD = ['unassigned', 'pool'] as const;

export interface ManyOptions extends RequestOptions, Consent, LeadFilterOptions {
  status?: (typeof UNHELD)[number];
  all?: boolean;
}

/** Whether the options name many leads, rather than an argument one. */
function isMany({ status, all }: ManyOptions): boolean {
  return status !== undefined || all === true;
}

export function withManyOptions(command: Command): Command {
  command
    .addOption(
      new Option('--status <status>', 'in place of one lead: all in this state').choices(UNHELD),
    )
    .option('--all', 'in place of one lead: all that are unassigned or in a pool', false);
  return withConsent(withLeadFilters(command));
}

/**
 * Moves each lead that nobody holds and that the filters name, once for the request: run again with its id it goes
 * on with those that are left. A lead that somebody moves meanwhile stays where they put it.
 */
export async function handOverMany(
  operator: Operator,
  { target, warnings }: Target,
  {
    does,
    liftsExclusion = false,
    ...options
  }: ManyOptions & {
    does: (leads: string) => string;
    liftsExclusion?: boolean;
  },
): Promise<void> {
  const { requestId = randomUUID(), status } = options;
  const statuses = status ? [status] : [...UNHELD];
  const filter: UnheldFilter = {
    ...(await readLeadFilters(operator, options)),
    statuses,
    poolId: target.kind === 'pool' ? target.poolId : null,
    requestId: parseUuid(requestId, 'a request'),
  };
  const database = await operator.database();
  const leadIds = await readUnheldLeads(database, filter);
  const what = `${does(count(leadIds.length, 'lead'))}.`;
  const isAsked = leadIds.length > 0 || options.dryRun;
  const size = { leads: leadIds.length, statuses };
  if (isAsked && !(await mayProceed(operator, { what, size, outlook: OUTLOOK }, options))) return;
  const terms = { releasedAgentId: null, onlyWaiting: false, movesResponded: true };
  const only = { onlyStatuses: statuses, liftsExclusion };
  const handOver = { target, ...terms, movesPersonal: false, ...only };
  await requestHandOver(operator, handOver, { ...options, requestId, leadId: null });
  if (leadIds.length > 0)
    operator.note(`If this is interrupted, --request-id ${requestId} goes on with it.`);
  const { failure, refused } = await handOverEach(operator, leadIds, requestId);
  const moved = await countMoved(database, requestId);
  const left = (await readUnheldLeads(database, filter)).length;
  const names = Object.fromEntries(await readRecordNames(database, moved));
  operator.show({ requestId, warnings, moved, refused, left, names }, manyText);
  if (failure) throw failure;
}

const OUTLOOK = 'leadctl lead undo takes it back, one lead at a time';

export function assertOneOrMany(text: string | undefined, options: ManyOptions): void {
  if ((text !== undefined) === isMany(options))
    throw new OperatorError('Say which lead, or --status or --all for many.');
}
