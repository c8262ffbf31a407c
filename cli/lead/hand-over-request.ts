import { randomUUID } from 'node:crypto';
import process from 'node:process';
import type { Command } from 'commander';
import type { HandOver, HandOverTarget } from '../../domain/assignment/hand-over.ts';
import { isUuid } from '../../domain/uuid.ts';
import { shellWord } from '../../platform/shell-word.ts';
import {
  countMoved,
  insertHandOver,
  type Left,
  type Moved,
} from '../../store/assignment/hand-overs.ts';
import { readPools, readRecordNames } from '../../store/routing/rulesets.ts';
import type { HandOverOutcome, HandOverRefusal } from '../../workflows/contracts/lead-lifecycle.ts';
import { agentLabel, findAgent, NOT_ACTIVE, readAway, warnOfLimits } from '../agent/find-agent.ts';
import { CANCELLED } from '../confirm.ts';
import { createProgressBar } from '../progress-bar.ts';
import { OperatorError, connectToTemporal, type Operator } from '../operator.ts';
import { tableText } from '../table.ts';
import { count, figure, nameOf, poolText, type Names } from '../text.ts';
import { sendUpdate, UPDATE_DEADLINE_MS } from './claim.ts';

export interface Target {
  target: HandOverTarget;
  does: (leads: string) => string;
  warningsFor: (leadIds: readonly string[]) => Promise<string[]>;
}

const noWarnings = () => Promise.resolve([]);

export const TO_RULES: Target = {
  target: { kind: 'rules' },
  does: (leads) => `This sends ${leads} back through the rules`,
  warningsFor: noWarnings,
};

export const UNDO_OUTLOOK = 'leadctl lead undo takes it back, one lead at a time';

export interface RequestOptions {
  reason?: string;
  requestId?: string;
}

export function withRequestOptions(command: Command): Command {
  return command
    .option('--reason <text>', 'kept with the assignment')
    .option('--request-id <uuid>', 'the same one makes a command that runs again the same request');
}

/** Only warns if the agent is paused or absent. */
export async function findTargetAgent(operator: Operator, text: string): Promise<Target> {
  const agent = await findAgent(operator, text);
  if ((await readAway(operator, agent.id)) === NOT_ACTIVE)
    throw new OperatorError(`${agent.name} is not active and can get no lead.`);
  return {
    target: { kind: 'agent', agentId: agent.id },
    does: (leads) => `This gives ${leads} to ${agentLabel(agent)}`,
    warningsFor: (leadIds) => warnOfLimits(operator, agent, leadIds),
  };
}

export async function findTargetPool(operator: Operator, name: string): Promise<Target> {
  const pools = await readPools(await operator.database());
  const wanted = name.trim().toLowerCase();
  const pool = pools.find((each) => each.name.toLowerCase() === wanted);
  if (pool)
    return {
      target: { kind: 'pool', poolId: pool.id },
      does: (leads) => `This puts ${leads} into pool ${pool.name}`,
      warningsFor: noWarnings,
    };
  const names = pools.map((each) => each.name).join(', ') || 'none';
  throw new OperatorError(`Pool '${name}' not found. There are: ${names}.`);
}

export const NO_RELEASE = { releasedAgentId: null, onlyWaiting: false, movesResponded: true };

/** The command checks it, so that the error is one sentence without the help. */
export function parseRequestId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new OperatorError(`${text} is not a request id (a UUID).`);
}

/** `leadId` is null for many leads. Returns the id of the request. */
export async function requestHandOver(
  operator: Operator,
  handOver: HandOver,
  { reason, requestId, leadId }: RequestOptions & { leadId: string | null },
): Promise<string> {
  const id = requestId === undefined ? randomUUID() : parseRequestId(requestId);
  await connectToTemporal(operator);
  const { author } = operator;
  const facts = { id, reason: reason ?? null, leadId, author, now: operator.now() };
  const database = await operator.database();
  if (await database.transaction((sql) => insertHandOver(sql, { ...handOver, ...facts })))
    return id;
  throw new OperatorError(`Request ${id} was another one: leave --request-id out for a new one.`);
}

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

/** Stops after this many leads whose workflows did not respond. */
const MOST_FAILURES = 3;

/**
 * Transfers leads in the given order, so that the first get the free agents. After Ctrl-C it awaits the current lead,
 * so that the figures are exact. A second Ctrl-C counts that lead as left. `words` are the command that continues.
 */
export async function handOverEach(
  operator: Operator,
  leadIds: readonly string[],
  requestId: string,
  {
    warnings,
    warningsFor,
    words = operator.words,
  }: Pick<Target, 'warningsFor'> & { warnings: string[]; words?: readonly string[] },
) {
  const progress = createProgressBar(operator.isJson);
  const counts = new Map<HandOverRefusal, number>();
  const failures: unknown[] = [];
  let done = 0;
  const interruptionLines = (): string[] => {
    const moved = [...counts.values()].reduce((left, leads) => left - leads, done);
    const isNamed = words.some((word) => word.startsWith('--request-id'));
    const all = isNamed ? words : [...words, '--request-id', requestId];
    const stopped = `Stopped: ${count(moved, 'lead')} moved, ${figure(leadIds.length - done)} left.`;
    return [`${stopped} This goes on with the rest:`, ['leadctl', ...all.map(shellWord)].join(' ')];
  };
  const interrupt = handleInterrupts({
    onFirst() {
      progress.stop();
      operator.note('Stopping after the lead under way. Ctrl-C again does not wait for it.');
    },
    onSecond() {
      for (const line of interruptionLines()) operator.note(line);
      process.exit(CANCELLED);
    },
  });
  for (const leadId of leadIds) {
    if (interrupt.isGiven() || failures.length === MOST_FAILURES) break;
    const sending = sendHandOver(operator, leadId, requestId);
    const sent = await sending.catch((error: unknown) => void failures.push(error));
    if (!sent) continue;
    if (!sent.moved) counts.set(sent.reason, (counts.get(sent.reason) ?? 0) + 1);
    done += 1;
    if (!interrupt.isGiven()) progress.onProgress('leads', done, leadIds.length);
  }
  interrupt.close();
  progress.stop();
  const left = leadIds.length - done;
  const isStopped = interrupt.isGiven() && left > 0;
  const database = await operator.database();
  const moved = await countMoved(database, requestId);
  return {
    failure: isStopped ? new OperatorError(interruptionLines(), CANCELLED) : failures[0],
    warnings: left === 0 && counts.size === 0 ? warnings : await warningsFor([]),
    moved,
    refused: [...counts].map(([reason, leads]) => ({ reason, leads })),
    left,
    names: Object.fromEntries(await readRecordNames(database, moved)),
  };
}

const SAME_PRESS_MS = 1000;

function handleInterrupts({ onFirst, onSecond }: Record<'onFirst' | 'onSecond', () => void>) {
  let firstAt: number | undefined;
  const onSignal = () => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      onFirst();
    } else if (performance.now() - firstAt >= SAME_PRESS_MS) onSecond();
  };
  process.on('SIGINT', onSignal);
  return {
    isGiven: () => firstAt !== undefined,
    /** Keeps the handler, since the same Ctrl-C may reach the process again. */
    close: () => void (firstAt === undefined && process.off('SIGINT', onSignal)),
  };
}

export const ANSWERED_BEFORE =
  'An earlier agent responded: no response clock runs, and the time of the new one counts from now.';

interface View {
  names: Names;
  warnings: readonly string[];
}

export function handOverText(
  { leadId, names, warnings, ...outcome }: View & HandOverOutcome & { leadId: string },
  target: HandOverTarget,
): string {
  const place = isIn(leadId, outcome.moved ? outcome.to : target, names);
  const seeWhy = target.kind === 'rules' ? ` leadctl lead explain ${leadId} says why.` : '';
  const text = outcome.moved ? `now.${seeWhy}` : 'already: nothing was changed.';
  return [`${place} ${text}`, ...warnings].join('\n');
}

function isIn(leadId: string, place: HandOverTarget | Moved['to'], names: Names): string {
  if (place.kind === 'agent') return `${nameOf(place.agentId, names)} holds lead ${leadId}`;
  if (place.kind === 'waiting') return `Lead ${leadId} waits for an agent`;
  const where = place.kind === 'pool' ? `in ${poolText(place.poolId, names)}` : 'unassigned';
  return `Lead ${leadId} is ${where}`;
}

const REFUSALS: Record<HandOverRefusal, string> = {
  unknown_lead: 'there is no such lead',
  personal: 'Personal distribution',
  unknown_request: 'its request is not known',
  agent_not_active: 'the agent is not active any more',
  there_already: 'it is there already',
  not_held: 'the agent does not hold it any more',
  changed: 'it was moved meanwhile',
  responded: 'a response was recorded',
  no_clock: 'no response clock runs',
};

export function refusalText(leadId: string, reason: HandOverRefusal): string {
  if (reason === 'unknown_lead') return `Lead ${leadId} not found.`;
  if (reason !== 'personal') return `Lead ${leadId} stays where it is: ${REFUSALS[reason]}.`;
  const only = 'Only leadctl lead assign --personal moves it.';
  return `Lead ${leadId} is one of Personal distribution and stays with its agent. ${only}`;
}

const REASONS: Record<Left['reason'], string> = {
  personal: 'Personal distribution',
  responded: 'a response is recorded',
  no_clock: 'no response clock runs',
  still_held: 'still held: run the command again',
};

interface MovedView extends View {
  moved: readonly Moved[];
}

export function releaseText({
  agent,
  left,
  ...view
}: MovedView & { agent: { name: string }; left: readonly Left[] }): string {
  const kept = left.map(({ reason, leads }) => [`left to ${agent.name}`, leads, REASONS[reason]]);
  return movedText(view, kept, `${agent.name} holds no lead.`);
}

export function manyText({
  refused,
  left,
  ...view
}: MovedView & { refused: readonly { reason: HandOverRefusal; leads: number }[]; left: number }) {
  const kept = refused.map(({ reason, leads }) => ['not moved', leads, REFUSALS[reason]]);
  const again = ['still there', left, 'run the command again, with the same --request-id'];
  return movedText(view, left > 0 ? [...kept, again] : kept, 'No lead matches.');
}

function movedText({ moved, names, warnings }: MovedView, kept: unknown[][], none: string): string {
  const rows = [...moved.map(({ to, leads }) => [placeText(to, names), leads, '']), ...kept];
  return [tableText(['moved to', 'leads', 'why'], rows, none), ...warnings].join('\n');
}

function placeText(to: Moved['to'], names: Names): string {
  if (to.kind === 'agent') return nameOf(to.agentId, names);
  if (to.kind === 'pool') return poolText(to.poolId, names);
  return to.kind === 'waiting'
    ? 'the rules: they wait for an agent'
    : 'nobody: no rule placed them';
}
