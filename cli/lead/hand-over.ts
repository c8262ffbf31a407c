import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander';
import type { HandOver, HandOverTarget } from '../../domain/assignment/hand-over.ts';
import { countMoved, readRequestedAt } from '../../store/assignment/hand-overs.ts';
import {
  readLastChanges,
  type LastChanges,
  type PlaceChange,
} from '../../store/assignment/read-assignment.ts';
import type { Sql } from '../../store/db/database.ts';
import { readLeadOverview } from '../../store/leads/read-lead.ts';
import { readUnheldLeads } from '../../store/leads/find-leads.ts';
import { readRecordNames } from '../../store/routing/rulesets.ts';
import { atLeastOne } from '../arguments.ts';
import { confirm, mayProceed, withConsent, type Consent } from '../confirm.ts';
import { OperatorError, type Operator, type Run } from '../operator.ts';
import { count, figure, timeText } from '../text.ts';
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
  parseRequestId,
  refusalText,
  requestHandOver,
  sendHandOver,
  TO_RULES,
  UNDO_OUTLOOK,
  withRequestOptions,
  type RequestOptions,
  type Target,
} from './hand-over-request.ts';

const UNHELD = ['unassigned', 'pool'] as const;

export function addHandOverCommands(lead: Command, run: Run): void {
  const command = (name: string, description: string) => {
    const moving = withRequestOptions(lead.command(name).description(description))
      .addOption(
        new Option('--status <status>', 'in place of one lead: all in this state').choices(UNHELD),
      )
      .option('--all', 'in place of one lead: all that are unassigned or in a pool', false);
    return withConsent(withLeadFilters(moving))
      .option('--limit <leads>', 'at most so many, the oldest enquiries first', atLeastOne)
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
    'Send a lead, or many that nobody holds, back through the rules, in a new round. If it waits again it keeps its position, which is that of its arrival, and has the whole time again. The rules do not give it back to the agent who holds it until an operator names that agent, or somebody else has held it for the length of a follow-up.',
  )
    .option(
      '--no-exclusion',
      'anybody may get it: whoever operators took it from, and who holds it',
    )
    .action(moveTo(() => TO_RULES));
  command('pool', 'Put a lead into a pool, wherever it is, or many that nobody holds.')
    .requiredOption('--pool <name>', 'the pool’s name')
    .action(moveTo((operator, { pool }: { pool: string }) => findTargetPool(operator, pool)));
  lead
    .command('undo')
    .description(
      'Take back the last hand-over of a lead by an operator, while nothing else has changed it since; lead assign and lead reroute move one that was claimed or that the rules placed. An agent who gets it back has a new response clock.',
    )
    .argument('<text>', LEAD_TEXT)
    .option('--yes', 'also another operator’s hand-over or an undo, without a question', false)
    .action(run(undo));
}

interface Options extends RequestOptions, Consent, LeadFilterOptions {
  status?: (typeof UNHELD)[number];
  all: boolean;
  limit?: number;
  personal?: boolean;
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

async function handOverOne(
  operator: Operator,
  leadId: string,
  { target, warnings }: Target & { warnings: string[] },
  { personal = false, exclusion = true, ...options }: Options,
) {
  const database = await operator.database();
  // If two operators send the lead back at once, the second must not take it from the new owner.
  const at = target.kind === 'rules' ? await readLastChanges(database, leadId) : null;
  const onlyAt = at && { round: at.round, move: at.move };
  const terms = { movesPersonal: personal, liftsExclusion: !exclusion, onlyAt };
  const asked = { ...NO_RELEASE, ...terms, target };
  const moved = await moveLead(operator, leadId, asked, { ...options, mayBeThere: true });
  const lead = await readLeadOverview(database, leadId, operator.config.companyName);
  const isAnswered =
    moved.moved && lead?.holder && lead.respondedAt && lead.responseInSeconds === null;
  const all = isAnswered ? [...warnings, ANSWERED_BEFORE] : warnings;
  operator.show({ ...moved, warnings: all }, (shown) => handOverText(shown, target));
}

async function moveLead(
  operator: Operator,
  leadId: string,
  asked: HandOver,
  { mayBeThere = false, ...options }: RequestOptions & { mayBeThere?: boolean } = {},
) {
  const requestId = await requestHandOver(operator, asked, { ...options, leadId });
  const outcome = await sendHandOver(operator, leadId, requestId);
  if (!outcome.moved && !(mayBeThere && outcome.reason === 'there_already'))
    throw new OperatorError(refusalText(leadId, outcome.reason));
  const names = await readRecordNames(await operator.database(), [asked.target, outcome]);
  return { leadId, requestId, ...outcome, names: Object.fromEntries(names) };
}

/** Resumes if it is run again with its id. A lead that moved meanwhile stays there. */
async function handOverMany(
  operator: Operator,
  { target, does, warningsFor }: Target,
  { exclusion = true, ...options }: Options,
): Promise<void> {
  const { requestId = randomUUID(), status, limit } = options;
  const onlyStatuses = status ? [status] : [...UNHELD];
  const id = parseRequestId(requestId);
  const database = await operator.database();
  // An age such as 2d counts from the first run, or a later run would miss leads that are left.
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
  const terms = { movesPersonal: false, onlyStatuses, liftsExclusion: !exclusion };
  const asked = { ...NO_RELEASE, ...terms, target };
  await requestHandOver(operator, asked, { ...options, requestId, leadId: null });
  if (leadIds.length > 0)
    operator.note(`If this is interrupted, --request-id ${requestId} goes on with it.`);
  const { failure, ...sent } = await handOverEach(operator, leadIds, requestId, {
    warnings,
    warningsFor,
  });
  operator.show({ requestId, ...sent }, manyText);
  if (failure) throw failure;
}

/** A resumed request keeps its limit. */
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

async function undo(operator: Operator, text: string, { yes }: { yes: boolean }) {
  const leadId = await findLead(operator, text);
  const database = await operator.database();
  const lead = await readLastChanges(database, leadId);
  if (!lead) throw new OperatorError(`Lead ${leadId} not found.`);
  const { last, handOver, before } = findHandOver(operator, leadId, lead);
  const at = timeText(last.decidedAt, operator.config.companyTimeZone);
  const asks = [
    handOver.author !== operator.author && `${handOver.author} handed this lead over, on ${at}.`,
    handOver.isUndo && 'The last change was itself an undo; this makes the hand-over again.',
  ].filter((line) => line !== false);
  if (asks.length > 0)
    await confirm(operator, asks, { yes }, 'leadctl lead undo again takes it back');
  const target = targetOf(before);
  const { round, move, isPersonal, isResponded } = lead;
  const asked = {
    ...NO_RELEASE,
    target,
    movesPersonal: isPersonal,
    movesResponded: isResponded,
    onlyAt: { round, move, updatedAt: lead.updatedAt.toISOString() },
    // A reverted revert is an ordinary transfer.
    undoes: handOver.isUndo ? null : handOver.id,
  };
  const moved = await moveLead(operator, leadId, asked);
  operator.show({ ...moved, warnings: [] }, (shown) => handOverText(shown, target));
}

function findHandOver({ config }: Operator, leadId: string, { changes, ...lead }: LastChanges) {
  const at = (time: Date) => timeText(time, config.companyTimeZone);
  const [last, before] = changes;
  const refuse = (reason: string) =>
    new OperatorError(
      `Nothing was taken back: ${reason}. leadctl lead show ${leadId} has the history.`,
    );
  if (!last) throw refuse('nobody has handed this lead over');
  const since = at(last.decidedAt);
  if (last.round !== lead.round || last.move !== lead.move)
    throw refuse(`new details began a new round after ${since}`);
  if (last.handOver === null)
    throw new OperatorError(
      `The lead’s last change was ${DECISIONS[last.decidedBy] ?? last.decidedBy}, not a hand-over by an operator; leadctl lead assign or lead reroute moves it. leadctl lead show ${leadId} has the history.`,
    );
  if (lead.respondedAt && lead.respondedAt > last.decidedAt)
    throw refuse(`a response was recorded on ${at(lead.respondedAt)}`);
  if (lead.enquiredAt > last.decidedAt)
    throw refuse(`the integrator sent something on ${at(lead.enquiredAt)}`);
  return { last, handOver: last.handOver, before };
}

const DECISIONS: Readonly<Record<string, string>> = {
  listing: 'an assignment to the listing’s agent',
  rules: 'a decision of the rules',
  follow_up: 'a follow-up',
  claim: 'a claim',
  assigned_by: 'an assignment by assignedBy',
};

/** Leads that were queued or pending go back to the rules. */
function targetOf(before: PlaceChange | undefined): HandOverTarget {
  if (before?.agentId) return { kind: 'agent', agentId: before.agentId };
  if (before?.poolId) return { kind: 'pool', poolId: before.poolId };
  return { kind: before?.status === 'unassigned' ? 'nobody' : 'rules' };
}
