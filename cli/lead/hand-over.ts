import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander';
import { countMoved, readRequestedAt } from '../../store/assignment/hand-overs.ts';
import { readLastChanges } from '../../store/assignment/place-changes.ts';
import type { Sql } from '../../store/db/database.ts';
import { readLeadOverview } from '../../store/leads/lead-overview.ts';
import { readUnheldLeads } from '../../store/leads/find-leads.ts';
import { readRecordNames } from '../../store/routing/names.ts';
import { atLeastOne, parseUuid } from '../arguments.ts';
import { mayProceed, withConsent, type Consent } from '../confirm.ts';
import { OperatorError, type Operator, type Run } from '../operator.ts';
import { count, figure } from '../text.ts';
import {
  findLead,
  LEAD_TEXT,
  readLeadFilters,
  withLeadFilters,
  type LeadFilterOptions,
} from './find.ts';
import {
  ANSWERED_BEFORE,
  findTargetAgent,
  findTargetPool,
  handOverEach,
  handOverText,
  manyText,
  NO_RELEASE,
  refusalText,
  requestHandOver,
  sendHandOver,
  TO_RULES,
  UNDO_OUTLOOK,
  withRequestOptions,
  type RequestOptions,
  type Target,
} from './hand-over-request.ts';

/** Leads that nobody holds and that rules have done with. */
const UNHELD = ['unassigned', 'pool'] as const;

/** The commands by which an operator moves one lead, or all that nobody holds. */
export function addHandOverCommands(lead: Command, run: Run): void {
  const command = (name: string, description: string) => {
    const moving = withRequestOptions(lead.command(name).description(description))
      .addOption(
        new Option('--status <status>', 'in place of one lead: all in this state').choices(UNHELD),
      )
      .option('--all', 'in place of one lead: all that are unassigned or in a pool', false);
    return withConsent(withLeadFilters(moving))
      .option('--limit <leads>', 'at most so many, the longest in their place first', atLeastOne)
      .argument('[text]', LEAD_TEXT);
  };
  const moveTo = <Named>(
    findTarget: (operator: Operator, options: Named) => Target | Promise<Target>,
  ) =>
    run(async (operator: Operator, text: string | undefined, options: Options & Named) =>
      handOver(operator, text, await findTarget(operator, options), options),
    );
  command('assign', 'Give a lead to an agent, wherever it is, or many that nobody holds.')
    .requiredOption('--agent <agent>', 'who gets it')
    .option('--personal', 'also one of Personal distribution', false)
    .action(moveTo((operator, { agent }: { agent: string }) => findTargetAgent(operator, agent)));
  command(
    'reroute',
    'Send a lead, or many that nobody holds, back through the rules, in a new round. Where it waits again it keeps its place, unless an agent held it, and has the whole time again. The rules do not give it back to the agent who holds it until an operator names that agent, or somebody else has held it for the length of a follow-up.',
  )
    .option(
      '--no-exclusion',
      'anybody may get it: whoever operators took it from, and who holds it',
    )
    .action(moveTo(() => TO_RULES));
  command('pool', 'Put a lead into a pool, wherever it is, or many that nobody holds.')
    .requiredOption('--pool <name>', 'the pool’s name')
    .action(moveTo((operator, { pool }: { pool: string }) => findTargetPool(operator, pool)));
}

interface Options extends RequestOptions, Consent, LeadFilterOptions {
  status?: (typeof UNHELD)[number];
  all: boolean;
  limit?: number;
  /** An option of \`lead assign\`. */
  personal?: boolean;
  /** An option of \`lead reroute\`. */
  exclusion?: boolean;
}

async function handOver(
  operator: Operator,
  text: string | undefined,
  to: Target,
  options: Options,
): Promise<void> {
  assertOneOrMany(text, options);
  if (text === undefined) return handOverMany(operator, to, options);
  const leadId = await findLead(operator, text);
  const warnings = await to.warningsFor([leadId]);
  const what = `${to.does(`lead ${leadId}`)}.`;
  const question = { what, size: { leads: 1, leadId }, warnings };
  if (await mayProceed(operator, question, { ...options, yes: true }))
    await handOverOne(operator, leadId, { ...to, warnings }, options);
}

/** Reads the lead as it is: where two operators send it back at once, the second would take it from whoever has just got it. */
async function readMove(operator: Operator, leadId: string) {
  const lead = await readLastChanges(await operator.database(), leadId);
  return lead && { round: lead.round, move: lead.move };
}

async function handOverOne(
  operator: Operator,
  leadId: string,
  { target, warnings }: Target & { warnings: string[] },
  { personal = false, exclusion = true, ...options }: Options,
) {
  const asked = {
    ...NO_RELEASE,
    target,
    movesPersonal: personal,
    liftsExclusion: !exclusion,
    onlyAt: target.kind === 'rules' ? await readMove(operator, leadId) : null,
  };
  const requestId = await requestHandOver(operator, asked, { ...options, leadId });
  const outcome = await sendHandOver(operator, leadId, requestId);
  if (!outcome.moved && outcome.reason !== 'there_already')
    throw new OperatorError(refusalText(leadId, outcome.reason));
  const database = await operator.database();
  const names = await readRecordNames(database, [target, outcome]);
  const lead = await readLeadOverview(database, leadId, operator.config.companyName);
  const isAnswered =
    outcome.moved && lead?.holder && lead.respondedAt && lead.responseInSeconds === null;
  const all = isAnswered ? [...warnings, ANSWERED_BEFORE] : warnings;
  const view = { leadId, requestId, ...outcome, names: Object.fromEntries(names), warnings: all };
  operator.show(view, (shown) => handOverText(shown, target));
}

/**
 * Moves each lead that nobody holds and that the filters name, once for the request: run again with its id it goes
 * on with those that are left. A lead that somebody moves meanwhile stays where they put it.
 */
async function handOverMany(
  operator: Operator,
  { target, does, warningsFor }: Target,
  { exclusion = true, ...options }: Options,
): Promise<void> {
  const { requestId = randomUUID(), status, limit } = options;
  const onlyStatuses = status ? [status] : [...UNHELD];
  const id = parseUuid(requestId, 'a request');
  const database = await operator.database();
  // An age such as 2d counts from the first run: by a later one, leads that were left would be older than that.
  const begunAt = (await readRequestedAt(database, id)) ?? operator.now();
  const matching = await readUnheldLeads(database, {
    ...(await readLeadFilters(operator, options, begunAt)),
    statuses: onlyStatuses,
    poolId: target.kind === 'pool' ? target.poolId : null,
    requestId: id,
  });
  const leadIds = await withinLimit(database, matching, { requestId, limit });
  const rest = leadIds.length < matching.length ? `, of ${figure(matching.length)} that match` : '';
  const what = `${does(count(leadIds.length, 'lead'))}${rest}.`;
  const size = { leads: leadIds.length, matching: matching.length, statuses: onlyStatuses };
  const warnings = await warningsFor(leadIds);
  const question = { what, size, warnings, outlook: UNDO_OUTLOOK, isIdle: leadIds.length === 0 };
  if (!(await mayProceed(operator, question, options))) return;
  const asked = { ...NO_RELEASE, target, movesPersonal: false, onlyStatuses };
  const lifting = { ...asked, liftsExclusion: !exclusion };
  await requestHandOver(operator, lifting, { ...options, requestId, leadId: null });
  if (leadIds.length > 0)
    operator.note(`If this is interrupted, --request-id ${requestId} goes on with it.`);
  const terms = { warnings, warningsFor };
  const { failure, ...sent } = await handOverEach(operator, leadIds, requestId, terms);
  operator.show({ requestId, ...sent }, manyText);
  if (failure) throw failure;
}

/** A request that runs again goes on to the limit that it had. */
async function withinLimit(
  database: Sql,
  leadIds: readonly string[],
  { requestId, limit }: { requestId: string; limit: number | undefined },
): Promise<readonly string[]> {
  if (limit === undefined) return leadIds;
  const moved = await countMoved(database, requestId);
  const before = moved.reduce((sum, { leads }) => sum + leads, 0);
  return leadIds.slice(0, Math.max(limit - before, 0));
}

const FOR_MANY = '--status, --rule, --source, --client, --since, --limit or --all for many';

const MANY = ['status', 'rule', 'source', 'client', 'since', 'limit'] as const;

function assertOneOrMany(text: string | undefined, options: Options): void {
  const isMany = options.all || MANY.some((name) => options[name] !== undefined);
  if (text !== undefined && isMany)
    throw new OperatorError(`Say one lead, or ${FOR_MANY}, not both.`);
  if (text === undefined && !isMany) throw new OperatorError(`Say which lead, or ${FOR_MANY}.`);
}
