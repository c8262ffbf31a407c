import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { HandOver, HandOverTarget } from '../../domain/assignment/hand-over.ts';
import { insertHandOver } from '../../store/assignment/hand-overs.ts';
import { readPools } from '../../store/routing/names.ts';
import type { HandOverOutcome, HandOverRefusal } from '../../workflows/contracts/lead-lifecycle.ts';
import { findAgent, readAway, warnOfLimits } from '../agent/find-agent.ts';
import { parseUuid } from '../arguments.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { createProgressBar } from '../progress-bar.ts';
import { connectToTemporal } from '../with-temporal.ts';
import { sendUpdate, UPDATE_DEADLINE_MS } from './send-update.ts';

/** Where to, and what the operator is warned of. */
export interface Target {
  target: HandOverTarget;
  warnings: string[];
}

export const TO_RULES: Target = { target: { kind: 'rules' }, warnings: [] };

export interface RequestOptions {
  reason?: string;
  requestId?: string;
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
  const warnings = await warnOfLimits(operator, agent);
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
  return sendUpdate(operator, deadlineMs, (client, lead) =>
    lead.handOverLead(client, leadId, { handOverId }),
  );
}

/** A workflow task, an activity and its transaction each: more at once only wait for each other. */
const AT_ONCE = 8;

export interface Refused {
  reason: HandOverRefusal;
  leads: number;
}

/**
 * A lead whose workflow does not answer ends one of the lanes: where none answers, all end soon. `failure` is the
 * first error.
 */
export async function handOverEach(
  operator: Operator,
  leadIds: readonly string[],
  requestId: string,
): Promise<{ failure: unknown; refused: Refused[] }> {
  const progress = createProgressBar(operator.isJson);
  const refused = new Map<HandOverRefusal, number>();
  const rest = [...leadIds];
  let done = 0;
  const lane = async (): Promise<void> => {
    for (let leadId = rest.shift(); leadId !== undefined; leadId = rest.shift()) {
      const outcome = await sendHandOver(operator, leadId, requestId);
      if (!outcome.moved) refused.set(outcome.reason, (refused.get(outcome.reason) ?? 0) + 1);
      progress.onProgress('leads', (done += 1), leadIds.length);
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane));
  progress.stop();
  return {
    failure: lanes.find((each) => each.status === 'rejected')?.reason,
    refused: [...refused].map(([reason, leads]) => ({ reason, leads })),
  };
}
