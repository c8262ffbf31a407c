import { randomUUID } from 'node:crypto';
import { resolveUnresolvedValues } from '../../../../cli/dataset/resolve-unresolved-values.ts';
import type { AssignmentCause } from '../../../../domain/assignment/assignment-cause.ts';
import type { HandOver } from '../../../../domain/assignment/hand-over.ts';
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
  | { kind: 'merge' | 'update' | 'resolve' | 'expire' | 'respond' }
  | ({ kind: 'route' | 'sendBack' } & Terms)
  | { kind: 'claim' | 'giveToAgent'; agent: number }
  | { kind: 'putIntoPool'; pool: number };

type Creation = 'without_owner' | 'with_owner';

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
  const ledger = openLedger(database, leadId, false);
  let onExpiry: Terms['onExpiry'] = 'note';
  await ledger.expectStep({ event: created.event, signals: true });

  async function create() {
    const agent = agentAt(0);
    const owned = { assignedBy: agent.email };
    const { id: leadId } = await api.create({
      leadPhones: [phone],
      integrationRef: INTEGRATION_REF,
      ...(creation === 'with_owner' && owned),
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

  async function update(): Promise<Step> {
    await api.update(leadId, { utmTerm: nextValue() });
    return { event: { kind: 'new_details' }, notes: ['updated'], signals: true };
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

  async function route(terms: Terms): Promise<Step> {
    await activateRule(terms);
    await activitiesAt().routeLead({ leadId });
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
    if (onExpiry === 'pool') return { event: { kind: 'follow_up_pooled', poolId: pools[0] ?? '' } };
    if (onExpiry === 'note')
      return { event: { kind: 'follow_up_expired', why: { kind: 'note_only' } } };
    const agent = await readHolder();
    return { event: { kind: 'follow_up_reassigned', why, agent, followUpMs } };
  }

  async function claim(agent: AgentView): Promise<Step> {
    const request = { leadId, agentId: agent.id, claimId: randomUUID() };
    expect(await activitiesAt().claimLead(request)).toMatchObject({ claimed: true });
    return { event: { kind: 'claimed', agent, followUpMs } };
  }

  async function handOver(target: HandOver['target']): Promise<void> {
    const request = handOverRequest(target, { leadId, reason: 'by the test' });
    await insertHandOver(database, request);
    const outcome = await activitiesAt().handOverLead({ leadId, handOverId: request.id });
    expect(outcome).toMatchObject({ moved: true });
  }

  async function giveToAgent(agent: AgentView): Promise<Step> {
    await handOver({ kind: 'agent', agentId: agent.id });
    const movesPersonal = false;
    return { event: { kind: 'operator_assigned', why: [], agent, followUpMs, movesPersonal } };
  }

  async function putIntoPool(poolId: string): Promise<Step> {
    await handOver({ kind: 'pool', poolId });
    return { event: { kind: 'operator_pooled', why: [], poolId } };
  }

  async function sendBack(terms: Terms): Promise<Step> {
    await activateRule(terms);
    await handOver({ kind: 'rules' });
    return { event: byOperator(await readRouted(terms)) };
  }

  function perform(command: Command): Promise<Step> {
    switch (command.kind) {
      case 'merge':
        return merge();
      case 'update':
        return update();
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
        return giveToAgent(agentAfterHolder(command.agent));
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
