import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { HandOver, HandOverTarget } from '../../domain/assignment/hand-over.ts';
import { insertHandOver } from '../../store/assignment/hand-overs.ts';
import { readLeadOverview } from '../../store/leads/lead-overview.ts';
import { readRecordNames } from '../../store/routing/names.ts';
import { readPools } from '../../store/routing/pools.ts';
import { handOverLead } from '../../temporal/lead-lifecycle-client.ts';
import type { HandOverOutcome } from '../../workflows/contracts/lead-lifecycle.ts';
import { findAgent, readAway, warnOfAway } from '../agent/find-agent.ts';
import { parseUuid } from '../arguments.ts';
import { OperatorError, type Operator, type Run } from '../operator.ts';
import { ANSWERED_BEFORE, handOverText, refusalText } from '../views/hand-over.ts';
import { connectToTemporal } from '../with-temporal.ts';
import { findLead, LEAD_TEXT } from './find.ts';
import { sendUpdate, UPDATE_DEADLINE_MS } from './send-update.ts';

/** Where to, and what the operator is warned of. */
export interface Target {
  target: HandOverTarget;
  warnings: string[];
}

export const TO_RULES: Target = { target: { kind: 'rules' }, warnings: [] };

/** The commands by which an operator moves one lead. */
export function addHandOverCommands(lead: Command, run: Run): void {
  const command = (name: string, description: string) =>
    withRequestOptions(lead.command(name).description(description)).argument('<text>', LEAD_TEXT);
  command('assign', 'Give a lead to an agent, wherever it is.')
    .requiredOption('--agent <agent>', 'who gets it')
    .option('--personal', 'also one of Personal distribution', false)
    .action(
      run(async (operator: Operator, id: string, options: AssignOptions) => {
        const to = await findTargetAgent(operator, options.agent);
        await handOver(operator, await findLead(operator, id), to, options);
      }),
    );
  command(
    'reroute',
    'Send a lead back through the rules, in a new round. Where it waits again it keeps its place, unless an agent held it, and has the whole time again. They do not give it back to who holds it until an operator does, or somebody else has held it for a follow-up.',
  ).action(
    run(async (operator: Operator, id: string, options: RequestOptions) =>
      handOver(operator, await findLead(operator, id), TO_RULES, options),
    ),
  );
  command('pool', 'Put a lead into a pool, wherever it is.')
    .requiredOption('--pool <name>', 'the pool’s name')
    .action(
      run(async (operator: Operator, id: string, options: RequestOptions & { pool: string }) => {
        const to = await findTargetPool(operator, options.pool);
        await handOver(operator, await findLead(operator, id), to, options);
      }),
    );
}

export interface RequestOptions {
  reason?: string;
  requestId?: string;
}

interface AssignOptions extends RequestOptions {
  agent: string;
  personal: boolean;
}

export function withRequestOptions(command: Command): Command {
  return command
    .option('--reason <text>', 'kept with the assignment')
    .option('--request-id <uuid>', 'the same one makes a command that runs again the same request');
}

/** Of an agent who is paused or absent the operator is only warned. */
export async function findTargetAgent(operator: Operator, email: string): Promise<Target> {
  const agent = await findAgent(operator, email);
  if ((await readAway(operator, agent.id)) === 'not active')
    throw new OperatorError(`${agent.name} is not active and can get no lead.`);
  const warnings = await warnOfAway(operator, agent);
  return { target: { kind: 'agent', agentId: agent.id }, warnings };
}

export async function findTargetPool(operator: Operator, name: string): Promise<Target> {
  const pools = await readPools(await operator.database());
  const wanted = name.trim().toLowerCase();
  const pool = pools.find((each) => each.name.toLowerCase() === wanted);
  if (pool) return { target: { kind: 'pool', poolId: pool.id }, warnings: [] };
  const names = pools.map((each) => each.name).join(', ') || 'none';
  throw new OperatorError(`There is no pool '${name}'. There are: ${names}.`);
}

async function handOver(
  operator: Operator,
  leadId: string,
  { target, warnings }: Target,
  { personal = false, ...options }: RequestOptions & { personal?: boolean },
) {
  const terms = {
    ...{ releasedAgentId: null, onlyWaiting: false, movesResponded: true },
    movesPersonal: personal,
  };
  const requestId = await requestHandOver(operator, { target, ...terms }, { ...options, leadId });
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
  operator.show(view, (shown) => handOverText(shown, outcome, target));
}

/** Keeps what the operator asks for, of one lead or, with `leadId` null, of many; returns the request's id. */
export async function requestHandOver(
  operator: Operator,
  handOver: HandOver,
  { reason, requestId, leadId }: RequestOptions & { leadId: string | null },
): Promise<string> {
  const id = requestId === undefined ? randomUUID() : parseUuid(requestId, 'a request');
  await connectToTemporal(operator);
  const { author } = operator;
  const facts = { id, reason: reason ?? null, leadId, author, now: operator.now() };
  const database = await operator.database();
  if (await database.transaction((sql) => insertHandOver(sql, { ...handOver, ...facts })))
    return id;
  throw new OperatorError(`Request ${id} was another one: leave --request-id out for a new one.`);
}

/** Moves a lead as a request says, once however often it is sent. */
export function sendHandOver(
  operator: Operator,
  leadId: string,
  handOverId: string,
  deadlineMs = UPDATE_DEADLINE_MS,
): Promise<HandOverOutcome> {
  return sendUpdate(operator, deadlineMs, (client) => handOverLead(client, leadId, { handOverId }));
}
