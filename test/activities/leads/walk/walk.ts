import { randomUUID } from 'node:crypto';
import { resolveUnresolvedValues } from '../../../../cli/dataset/resolve-unresolved-values.ts';
import type { AssignmentCause } from '../../../../domain/assignment/assignment-cause.ts';
import type { HandOver } from '../../../../domain/assignment/hand-over.ts';
import { allows } from '../../../../domain/assignment/transitions.ts';
import type { AgentView } from '../../../../domain/webhooks/event-payloads.ts';
import { insertHandOver } from '../../../../store/assignment/hand-overs.ts';
import { loadReference } from '../../../../store/catalogue/reference.ts';
import { newPhone } from '../../../support/api.ts';
import { handOverRequest } from '../../../support/hand-over.ts';
import { seedReference } from '../../../support/reference.ts';
import { INTEGRATION_REF, openLedger, type Step } from './ledger.ts';
import type { Stage, Terms } from './stage.ts';

/** What can be done to a lead, by every path that the service has. Agents are counted from the holder, who is 0. */
export type Command =
  | { kind: 'merge' | 'comment' | 'update' | 'resolve' | 'expire' | 'respond' }
  | ({ kind: 'route' | 'sendBack' } & Terms)
  | { kind: 'claim'; agent: number }
  | { kind: 'giveToAgent'; agent: number; movesPersonal: boolean }
  | { kind: 'putIntoPool'; pool: number };

export type Creation = 'without_owner' | 'with_owner' | 'personal';

let values = 0;
const nextValue = () => `value ${(values += 1)}`;

/** Stands for the explanation of the rules, whose text is not compared. */
const why = ['a rule said so'];
const followUpMs = 1;

export async function startWalk(stage: Stage, creation: Creation) {
  const { api, pools, activitiesAt, activateRule } = stage;
  const { database } = api;
  const phone = newPhone();
  const created = await create();
  const { leadId } = created;
  const ledger = openLedger(database, leadId, creation === 'personal');
  let onExpiry: Terms['onExpiry'] = 'note';
  let waitingRound = 0;
  await ledger.expectStep({ event: created.event, signals: true });

  async function create() {
    const agent = agentAt(0);
    const owned = { assignedBy: agent.email };
    const personal = { distributionType: 'Personal' };
    const { id: leadId } = await api.create({
      leadPhones: [phone],
      integrationRef: INTEGRATION_REF,
      ...(creation !== 'without_owner' && owned),
      ...(creation === 'personal' && personal),
    });
    const by = { createdBy: 'Shop', decidedBy: 'assigned_by' } as const;
    const event: AssignmentCause =
      creation === 'without_owner'
        ? { kind: 'created', createdBy: 'Shop' }
        : { kind: 'created_with_owner', ...by, agent, followUpMs };
    return { leadId: String(leadId), event };
  }

  function agentAfterHolder(number: number): AgentView {
    const holder = stage.agents.findIndex(({ id }) => id === ledger.owner());
    return agentAt(Math.max(holder, 0) + number);
  }

  function agentAt(number: number): AgentView {
    return stage.agents[number % stage.agents.length] as AgentView;
  }

  async function readRow() {
    const text = `select owner_id as owner, round, moves, follow_up_due_at as "dueAt" from leads where id = $1`;
    const [row] = await database.query<{
      owner: string | null;
      round: number;
      moves: number;
      dueAt: Date | null;
    }>(text, [leadId]);
    if (!row) throw new Error('The lead is gone.');
    return row;
  }

  async function readHolder(): Promise<AgentView> {
    const { owner } = await readRow();
    const agent = stage.agents.find(({ id }) => id === owner);
    if (!agent) throw new Error('No agent of the team holds the lead.');
    return agent;
  }

  async function merge(): Promise<Step> {
    const { body } = await api.post({ leadPhones: [phone], utmTerm: nextValue() });
    expect(body).toMatchObject({ id: leadId });
    const assignedTo = stage.agents.find(({ id }) => id === ledger.owner()) ?? null;
    const enquiry = { source: null, matchedOn: 'phone', hasMessage: false, assignedTo } as const;
    return { event: { kind: 'enquired', enquiry }, notes: ['merged'], signals: true };
  }

  async function update(body: Record<string, unknown>, event: Step['event']): Promise<Step> {
    await api.update(leadId, body);
    return { event, notes: ['updated'], signals: true };
  }

  /** An update sends a value that no list has, which only flags it; then an import brings it. */
  async function resolve(): Promise<Step> {
    const name = `Event ${nextValue()}`;
    await api.update(leadId, { eventType: name });
    await ledger.expectStep({ event: null });
    await seedReference(database, { eventTypes: [{ name }] });
    const reference = await loadReference(database, 'Our Company');
    const request = { reference, author: 'olga', now: new Date(), newId: randomUUID };
    expect(await resolveUnresolvedValues(database, request)).toMatchObject({ resolved: 1 });
    return { event: { kind: 'new_details' }, notes: ['resolved'], signals: true };
  }

  async function respond(): Promise<Step> {
    const path = `/public/leads/${leadId}/response-time`;
    const { status } = await api.call('POST', path, { body: { seconds: 60 } });
    expect(status).toBe(200);
    const holder = stage.agents.find(({ id }) => id === ledger.owner()) ?? null;
    const event = { kind: 'responded', recordedBy: 'Shop', seconds: 60, holder } as const;
    return { event, signals: true };
  }

  /** A lead that goes on to wait for the same rule has no new event. */
  async function route(terms: Terms): Promise<Step> {
    await activateRule(terms);
    await activitiesAt().routeLead({ leadId });
    const { status, round } = ledger.state();
    const goesOnWaiting = terms.to === 'wait' && waitingRound === round;
    if (status !== 'pending' || goesOnWaiting) return { event: null };
    if (terms.to === 'wait') waitingRound = round;
    return { event: await readRouted(terms) };
  }

  async function readRouted(terms: Terms): Promise<RoutedEvent> {
    switch (terms.to) {
      case 'agent':
        ({ onExpiry } = terms);
        return { kind: 'routed_to_agent', why, agent: await readHolder(), followUpMs };
      case 'pool':
        return { kind: 'routed_to_pool', why, poolId: pools[0] ?? '' };
      case 'nobody':
        return { kind: 'left_unassigned', why };
      case 'wait':
        return { kind: 'waiting', why };
    }
  }

  async function expire(): Promise<Step> {
    const { dueAt, round, moves } = await readRow();
    const later = new Date((dueAt ?? new Date()).getTime() + 1);
    await activitiesAt(later).expireFollowUp({ leadId, round, moves });
    if (!ledger.state().isClockRunning) return { event: null };
    if (onExpiry === 'pool') return { event: { kind: 'follow_up_pooled', poolId: pools[0] ?? '' } };
    const { owner } = await readRow();
    if (onExpiry === 'note' || owner === ledger.owner())
      return { event: { kind: 'follow_up_expired', why: { kind: 'note_only' } } };
    const agent = await readHolder();
    return { event: { kind: 'follow_up_reassigned', why, agent, followUpMs } };
  }

  async function claim(agent: AgentView): Promise<Step> {
    const request = { leadId, agentId: agent.id, claimId: randomUUID() };
    const { claimed } = await activitiesAt().claimLead(request);
    expect(claimed).toBe(allows(ledger.state().status, 'claimed'));
    if (!claimed) return { event: null };
    onExpiry = 'note';
    return { event: { kind: 'claimed', agent, followUpMs } };
  }

  async function handOver(target: HandOver['target'], movesPersonal = false): Promise<boolean> {
    const request = handOverRequest(target, { leadId, reason: 'by the test', movesPersonal });
    await insertHandOver(database, request);
    const outcome = await activitiesAt().handOverLead({ leadId, handOverId: request.id });
    if (outcome.moved) return true;
    const { isPersonal } = ledger.state();
    expect(['there_already', ...(isPersonal ? ['personal'] : [])]).toContain(outcome.reason);
    return false;
  }

  async function giveToAgent(agent: AgentView, movesPersonal: boolean): Promise<Step> {
    const isMoved = await handOver({ kind: 'agent', agentId: agent.id }, movesPersonal);
    expect(isMoved).toBe(
      ledger.owner() !== agent.id && (movesPersonal || !ledger.state().isPersonal),
    );
    if (!isMoved) return { event: null };
    onExpiry = 'note';
    return { event: { kind: 'operator_assigned', why: [], agent, followUpMs, movesPersonal } };
  }

  async function putIntoPool(poolId: string): Promise<Step> {
    const isMoved = await handOver({ kind: 'pool', poolId });
    return { event: isMoved ? { kind: 'operator_pooled', why: [], poolId } : null };
  }

  async function sendBack(terms: Terms): Promise<Step> {
    await activateRule(terms);
    const isMoved = await handOver({ kind: 'rules' });
    expect(isMoved).toBe(!ledger.state().isPersonal);
    if (!isMoved) return { event: null };
    if (terms.to === 'wait') waitingRound = ledger.state().round + 1;
    return { event: byOperator(await readRouted(terms)) };
  }

  function perform(command: Command): Promise<Step> {
    switch (command.kind) {
      case 'merge':
        return merge();
      case 'comment':
        return update({ comments: [{ text: nextValue() }] }, null);
      case 'update':
        return update({ utmTerm: nextValue() }, { kind: 'new_details' });
      case 'resolve':
        return resolve();
      case 'expire':
        return expire();
      case 'respond':
        return respond();
      case 'route':
        return route(command);
      case 'sendBack':
        return sendBack(command);
      case 'claim':
        return claim(agentAfterHolder(command.agent));
      case 'giveToAgent':
        return giveToAgent(agentAfterHolder(command.agent), command.movesPersonal);
      case 'putIntoPool':
        return putIntoPool(pools[command.pool % pools.length] ?? '');
    }
  }

  return {
    taken: ledger.taken,
    /** Runs the command and compares the lead's rows with the table of transitions. */
    take: async (command: Command) => ledger.expectStep(await perform(command)),
  };
}

export type RoutedEvent = Extract<
  AssignmentCause,
  { kind: 'routed_to_agent' | 'routed_to_pool' | 'left_unassigned' | 'waiting' }
>;

export function byOperator(event: RoutedEvent): AssignmentCause {
  switch (event.kind) {
    case 'routed_to_agent':
      return { ...event, kind: 'operator_assigned', movesPersonal: false };
    case 'routed_to_pool':
      return { ...event, kind: 'operator_pooled' };
    case 'left_unassigned':
      return { ...event, kind: 'operator_unassigned' };
    case 'waiting':
      return { ...event, kind: 'operator_waiting' };
  }
}
