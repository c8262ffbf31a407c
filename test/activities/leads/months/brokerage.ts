import { randomUUID } from 'node:crypto';
import { Command as Program } from 'commander';
import { agentCommands } from '../../../../cli/agent.ts';
import { createOperator } from '../../../../cli/operator.ts';
import { rulesCommands } from '../../../../cli/rules.ts';
import { simulatePast } from '../../../../cli/rules/past-decisions.ts';
import type { AssignmentEvent } from '../../../../domain/assignment/assignment-event.ts';
import type { HandOver } from '../../../../domain/assignment/hand-over.ts';
import type { AgentView } from '../../../../domain/webhooks/event-payloads.ts';
import { insertHandOver } from '../../../../store/assignment/hand-overs.ts';
import { countEarlierWaits } from '../../../../store/leads/waiting-leads.ts';
import { deleteOutboxRows } from '../../../../store/leads/outbox.ts';
import { readResponses } from '../../../../store/reporting/read-responses.ts';
import { readAgents } from '../../../../store/routing/agents.ts';
import { createRulesetStore } from '../../../../store/routing/rulesets.ts';
import { createQueueOwner } from '../../../../worker/waiting-leads.ts';
import { asAdmin } from '../../../support/database.ts';
import { newPhone, type TestApi } from '../../../support/api.ts';
import { handOverRequest } from '../../../support/hand-over.ts';
import { seedReference } from '../../../support/reference.ts';
import { expectSameAgain } from '../../../support/routing.ts';
import { testActivityContext } from '../../../support/worker.ts';
import { INTEGRATION_REF, openLedger, type Ledger } from '../walk/ledger.ts';
import { addEndpoint } from '../walk/stage.ts';
import { byOperator, type RoutedEvent } from '../walk/walk.ts';
import {
  clockDueMs,
  countOpen,
  countToday,
  decideLead,
  judge,
  type Agent,
  type Decision,
  type Hours,
  type Lead,
  type Model,
  type Rule,
  type RuleTerms,
  type Undoable,
} from './model.ts';
import {
  beginRound,
  discount,
  giveLead,
  leaveLead,
  newLead,
  NO_FOLLOW_UP,
  openLead,
  takeAway,
  undoHandOver,
} from './moves.ts';
import {
  expectLead,
  expectOutcome,
  expectVerdicts,
  isLeftAlone,
  NEXT_DUE,
  readRows,
  type NextDue,
  type StoredLead,
} from './stored-lead.ts';
import { createLeadActivities } from '../../../../activities/leads/lead-activities.ts';

type ReleasedLeads = 'unanswered' | 'waiting' | 'responded too';
type ReleasedTo = 'agent' | 'pool' | 'rules';

/** What happens in a brokerage. Leads and agents are counted round. */
export type Command =
  | { kind: 'create' | 'restart' }
  | {
      kind: 'update' | 'respond' | 'toRules' | 'toAnybody' | 'toPool' | 'undo' | 'again';
      lead: number;
    }
  | { kind: 'toAgent' | 'claim'; lead: number; agent: number }
  | { kind: 'release'; agent: number; which: ReleasedLeads; to: ReleasedTo }
  | { kind: 'pause'; agent: number }
  | { kind: 'absent'; agent: number; inSteps: number; steps: number }
  | { kind: 'change'; agent: number; to: AgentTerms }
  | { kind: 'newRules'; first: RuleTerms; second: RuleTerms | null; isRenamed: boolean }
  | { kind: 'earlierRules'; back: number }
  | { kind: 'pass'; minutes: number };

export interface AgentTerms {
  active: boolean;
  hours: keyof typeof HOURS;
  dailyCap: number | null;
  openCap: number | null;
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const HOURS = {
  any: { text: {}, hours: null },
  office: {
    text: { 'mon-fri': '09:00-18:00' },
    hours: { days: [1, 2, 3, 4, 5], fromMinute: 540, toMinute: 1080 },
  },
  evenings: {
    text: { 'mon-sun': '14:00-22:00' },
    hours: { days: EVERY_DAY, fromMinute: 840, toMinute: 1320 },
  },
  nights: {
    text: { 'thu-sat': '20:00-02:00' },
    hours: { days: [4, 5, 6], fromMinute: 1200, toMinute: 120 },
  },
} satisfies Record<string, { text: object; hours: Hours | null }>;
export const HOURS_NAMES = Object.keys(HOURS) as AgentTerms['hours'][];

/** That never change their clocks. */
const ZONES = { 'Asia/Dubai': 240, 'Asia/Kolkata': 330, 'America/Bogota': -300 };
const MINUTE_MS = 60_000;
const STEP_MS = 30 * MINUTE_MS;
const BEGINNING_MS = Date.parse('2026-03-02T06:00:00Z');
/** In one stretch of time; who looks without end looks more often. */
const MOST_EVENTS = 200;

const [POOL, OPERATORS_POOL, TEAM] = ['North', 'South', 'Sales'];
const NO_SUCCESSOR = { onExpiry: 'note', maxMoves: 0 } as const;
const ANY_TIME: AgentTerms = { active: true, hours: 'any', dailyCap: null, openCap: null };
const NOTHING_REPORTED = { assigned: 0, responded: 0, moves: 0 };
/** Stands for the explanation of the rules, whose text is not compared. */
const why = ['a rule said so'];

type Ground = Awaited<ReturnType<typeof prepareGround>>;

export async function prepareGround(api: TestApi) {
  const { database, config } = api;
  await seedReference(database, { pools: [{ name: POOL }, { name: OPERATORS_POOL }] });
  await addEndpoint(api);
  const rows = await database.query<{ id: string; name: string }>(
    `select id, name from list_entries where list = 'pool'`,
  );
  const poolOf = (wanted?: string) => rows.find(({ name }) => name === wanted)?.id ?? '';
  const pools = { rules: poolOf(POOL), operators: poolOf(OPERATORS_POOL) };
  const settings = { DATABASE_URL: config.database.url, SECRETS_KEY: '11'.repeat(32) };
  const silent = { isJson: false, write: () => Promise.resolve() };
  const operator = await createOperator({ ...settings, LEADCTL_AUTHOR: 'noor' }, silent);
  async function leadctl(...words: string[]): Promise<void> {
    const program = new Program('leadctl').exitOverride();
    for (const group of [agentCommands, rulesCommands])
      group(
        program,
        (work) =>
          async (...given) =>
            work(operator, ...given),
      );
    await program.parseAsync(words, { from: 'user' });
  }
  const tables = await database.query<{ name: string }>(CLEARED_TABLES);
  const deletions = tables.map(({ name }) => `delete from ${name}`).join('; ');
  async function clear(): Promise<void> {
    await asAdmin(config.database.url, `set session_replication_role = replica; ${deletions}`);
  }
  async function close(): Promise<void> {
    await operator.close();
    await api.stop();
  }
  return { api, pools, leadctl, clear, close };
}

const DECIDED_AT_ONCE = `select decided_at from assignments group by 1 having count(*) > 1 limit 1`;

/** With all tables that refer to them. Deleting a few rows takes a fraction of a `truncate`. */
const CLEARED_TABLES = `
with recursive cleared as (
  select unnest(array['agents', 'leads', 'teams', 'waiting_wakeups', 'lead_outbox']::regclass[])::oid as id
  union select c.conrelid from pg_constraint c join cleared on cleared.id = c.confrelid)
select id::regclass::text as name from cleared`;

export async function openBrokerage(
  { api, leadctl, clear, pools }: Ground,
  terms: readonly AgentTerms[],
) {
  const { database, config } = api;
  await clear();
  const agents = Object.entries(ZONES).map(newAgent);
  const model: Model = {
    agents,
    leads: [],
    rulesets: [],
    assignments: [],
    active: { version: 0, rules: [] },
    defaultMinutes: config.followUpMs / MINUTE_MS,
  };
  const ledgers = new Map<Lead, Ledger>();
  let nowMs = BEGINNING_MS;
  let worker = await startWorker();
  api.setNow(new Date(nowMs));
  await importRules(FIRST_RULES, null, {
    agents: agents.map((agent, at) => adopt(agent, terms[at] ?? ANY_TIME)),
    teams: [{ name: TEAM, members: agents.map(({ email }) => ({ agent: email })) }],
  });

  const time = () => ({ now: new Date(nowMs), followUpMs: config.followUpMs });

  async function startWorker() {
    const context = testActivityContext(database, config, () => new Date(nowMs));
    // The former one's has no time left.
    await database.query(`delete from worker_leases`);
    const placeAll = createQueueOwner(context, async (rows) => {
      const ids = rows.map(({ id }) => id);
      await deleteOutboxRows(database, ids);
    });
    return { placeAll, ...createLeadActivities(context) };
  }

  async function importRules(
    first: RuleTerms,
    second: RuleTerms | null,
    { isRenamed = false, ...others }: { isRenamed?: boolean; agents?: object; teams?: object } = {},
  ): Promise<void> {
    const named = agents.at(-1);
    const name = isRenamed ? 'First again' : 'First';
    const rules: Rule[] = [{ name, agentIds: agents.map(({ id }) => id), ...first }];
    if (second && named) rules.push({ name: 'Second', agentIds: [named.id], ...second });
    const targets = [
      { kind: 'team', name: TEAM },
      { kind: 'agent', name: named?.email },
    ];
    await seedReference(database, {
      ...others,
      rules: rules.map((rule, at) => ({ ...ruleRecord(rule), order: at, target: targets[at] })),
    });
    const row = await database.queryOne<{ version: number }>(
      `select version from routing_activations order by id desc limit 1`,
    );
    model.active = { version: row?.version ?? 0, rules };
    model.rulesets.push(model.active);
  }

  async function record(lead: Lead, event: AssignmentEvent | null, notes: string[] = []) {
    if (event) lead.undoable = null;
    await ledgers.get(lead)?.expectStep({ event, notes });
  }

  /** The lead goes where the rules sent it, if the model has them send it there. */
  function follow(lead: Lead, decision: Decision, row: StoredLead): RoutedEvent {
    expectOutcome(decision, row, model, nowMs);
    const { rule } = decision;
    switch (decision.kind) {
      case 'assigned': {
        const agent = decision.eligible.find(({ id }) => id === row.ownerId) as Agent;
        const terms = { agent, rule: decision.rule, followUp: decision.rule };
        const followUpMs = giveLead(model, lead, terms, nowMs);
        return { kind: 'routed_to_agent', why, agent: viewOf(agent), followUpMs };
      }
      case 'pool':
        leaveLead(lead, pools.rules, rule, nowMs);
        return { kind: 'routed_to_pool', why, poolId: pools.rules };
      case 'unassigned':
        leaveLead(lead, null, rule, nowMs);
        return { kind: 'left_unassigned', why };
      case 'waiting': {
        const { name } = decision.rule;
        openLead(lead);
        if (!lead.waits.has(name)) lead.waits.set(name, decision.endsMs);
        lead.toldWaits.add(name);
        lead.waitsBy = name;
        return { kind: 'waiting', why };
      }
    }
  }

  /** The runs of these leads route them, and the owner of the queue places whom it can. Nothing is left to do then. */
  async function settle(...routed: Lead[]): Promise<void> {
    for (const { id: leadId } of routed) await worker.routeLead({ leadId });
    for (let looks = 0; (await worker.placeAll()) > 0; looks += 1)
      expect(looks).toBeLessThan(MOST_EVENTS);
    const rows = await readRows(database);
    while (await placeNext(rows));
    for (const lead of queue()) {
      const decision = decideLead(model, lead, nowMs);
      const row = rows.get(lead.id) as StoredLead;
      if (lead.awaitsSuccessor || isLeftAlone(decision, lead, row, model)) continue;
      const goesOn = decision.kind === 'waiting' && lead.toldWaits.has(decision.rule.name);
      const event = follow(lead, decision, row);
      if (!goesOn) await record(lead, event);
    }
    for (const lead of model.leads)
      await expectLead(database, lead, rows.get(lead.id), agents, time());
    expect(await countEarlierWaits(database)).toBe(0);
  }

  const queue = () =>
    model.leads
      .filter(({ status, awaitsSuccessor }) => status === 'pending' || awaitsSuccessor)
      .toSorted(byPlace);

  /** The oldest lead that somebody can take. It may free an agent for an older one. */
  async function placeNext(rows: ReadonlyMap<string, StoredLead>): Promise<boolean> {
    for (const lead of queue()) {
      const decision = lead.awaitsSuccessor ? null : decideLead(model, lead, nowMs);
      if (decision?.kind === 'waiting') continue;
      const event = decision
        ? follow(lead, decision, rows.get(lead.id) as StoredLead)
        : await moveOn(lead);
      if (event) await record(lead, event);
      if (event) return true;
    }
    return false;
  }

  async function create(): Promise<void> {
    const { id } = await api.create({ leadPhones: [newPhone()], integrationRef: INTEGRATION_REF });
    const lead = newLead(String(id), nowMs);
    model.leads.push(lead);
    ledgers.set(lead, openLedger(database, lead.id, false));
    await record(lead, { kind: 'created', createdBy: 'Shop' });
    await settle(lead);
  }

  /** New details begin a new round of a lead that nobody holds. */
  async function update(lead: Lead): Promise<void> {
    await api.update(lead.id, { utmTerm: randomUUID() });
    const isHeld = lead.status === 'assigned';
    if (!isHeld) {
      beginRound(lead);
      openLead(lead);
    }
    await record(lead, { kind: 'new_details' }, ['updated']);
    await (isHeld ? settle() : settle(lead));
  }

  async function respond(lead: Lead): Promise<void> {
    const path = `/public/leads/${lead.id}/response-time`;
    const { status } = await api.call('POST', path, { body: { seconds: 60 } });
    expect(status).toBe(200);
    const holder = agents.find(({ id }) => id === lead.ownerId);
    Object.assign(lead, { isResponded: true, responderId: lead.ownerId, ...NO_FOLLOW_UP });
    const view = holder ? viewOf(holder) : null;
    await record(lead, { kind: 'responded', recordedBy: 'Shop', seconds: 60, holder: view });
    await settle();
  }

  async function claim(lead: Lead, agent: Agent): Promise<void> {
    const claimed = { leadId: lead.id, agentId: agent.id, claimId: randomUUID() };
    const outcome = await worker.claimLead(claimed);
    expect(outcome.claimed).toBe(lead.status === 'pool' && agent.active);
    if (outcome.claimed) {
      expect(await worker.claimLead(claimed)).toEqual(outcome);
      const { minutes = model.defaultMinutes, isWorkingClock = false } = lead.rule ?? {};
      const followUp = { minutes, isWorkingClock, ...NO_SUCCESSOR };
      lead.moves += 1;
      const followUpMs = giveLead(model, lead, { agent, rule: null, followUp }, nowMs);
      lead.taken.delete(agent.id);
      await record(lead, { kind: 'claimed', agent: viewOf(agent), followUpMs });
    }
    await settle();
  }

  type Release = Partial<HandOver> & { id: string };
  const newRequest = (): Release => ({ id: randomUUID() });

  /** The lead leaves where it is; returns what takes this back. */
  function leave(lead: Lead, { id, undoes = null }: Release): Undoable {
    const { status, ownerId, poolId, waits, undoable } = lead;
    const before = { id, isUndo: undoes !== null, status, ownerId, poolId };
    const waitsBefore = new Map(waits);
    if (undoes && undoable) {
      discount(model, lead);
      undoHandOver(lead, undoable, nowMs);
    } else takeAway(lead, nowMs);
    return { ...before, waits: waitsBefore };
  }

  /** An operator asks for it, twice; returns whether the lead was moved. */
  async function handOver(lead: Lead, target: HandOver['target'], release: Release) {
    const asked = handOverRequest(target, { ...release, now: new Date(nowMs) });
    await insertHandOver(database, asked);
    const request = { leadId: lead.id, handOverId: asked.id };
    const outcome = await worker.handOverLead(request);
    if (outcome.moved) expect(await worker.handOverLead(request)).toEqual(outcome);
    return outcome.moved;
  }

  async function toAgent(lead: Lead, agent: Agent, release = newRequest()): Promise<void> {
    const isMoved = await handOver(lead, { kind: 'agent', agentId: agent.id }, release);
    expect(isMoved).toBe(agent.active && lead.ownerId !== agent.id);
    if (isMoved) {
      const { rule, followUp } = lead.terms;
      const minutes = rule?.minutes ?? followUp?.minutes ?? model.defaultMinutes;
      const isWorkingClock = followUp?.isWorkingClock ?? rule?.isWorkingClock ?? false;
      const terms = { minutes, isWorkingClock, ...NO_SUCCESSOR };
      const before = leave(lead, release);
      const followUpMs = giveLead(model, lead, { agent, rule: null, followUp: terms }, nowMs);
      if (release.undoes) discount(model, lead);
      lead.taken.delete(agent.id);
      const given = { agent: viewOf(agent), followUpMs, movesPersonal: false };
      await record(lead, { kind: 'operator_assigned', why: [], ...given });
      lead.undoable = before;
    }
    await settle();
  }

  async function toPool(lead: Lead, release = newRequest()): Promise<void> {
    const poolId = pools.operators;
    const isMoved = await handOver(lead, { kind: 'pool', poolId }, release);
    expect(isMoved).toBe(lead.poolId !== poolId);
    if (isMoved) {
      const before = leave(lead, release);
      leaveLead(lead, poolId, null, nowMs);
      await record(lead, { kind: 'operator_pooled', why: [], poolId });
      lead.undoable = before;
    }
    await settle();
  }

  async function toNobody(lead: Lead, release: Release): Promise<void> {
    expect(await handOver(lead, { kind: 'nobody' }, release)).toBe(true);
    leave(lead, release);
    leaveLead(lead, null, null, nowMs);
    await record(lead, { kind: 'operator_unassigned', why: [] });
    await settle();
  }

  async function toRules(lead: Lead, release = newRequest()): Promise<void> {
    expect(await handOver(lead, { kind: 'rules' }, release)).toBe(true);
    const before = leave(lead, release);
    if (release.liftsExclusion) lead.taken = new Set();
    const decision = decideLead(model, lead, nowMs);
    const row = (await readRows(database)).get(lead.id) as StoredLead;
    await record(lead, byOperator(follow(lead, decision, row)));
    lead.undoable = before;
    await settle();
  }

  /** Takes back the last hand-over, while nothing has happened to the lead since, as `leadctl lead undo` asks for it. */
  async function undo(lead: Lead): Promise<void> {
    const { undoable } = lead;
    if (!undoable) return settle();
    const { id, isUndo, status, ownerId, poolId } = undoable;
    const onlyAt = await database.queryOne<NonNullable<HandOver['onlyAt']>>(
      `select round, moves as move, updated_at as "updatedAt" from leads where id = $1`,
      [lead.id],
    );
    const undoes = isUndo ? null : id;
    const terms = { id: randomUUID(), undoes, onlyAt, movesResponded: lead.isResponded };
    const agent = agents.find((each) => each.id === ownerId);
    if (agent) return toAgent(lead, agent, terms);
    if (poolId === pools.operators) return toPool(lead, terms);
    if (status === 'unassigned') return toNobody(lead, terms);
    return status === 'pending' ? toRules(lead, terms) : settle();
  }

  async function release(agent: Agent, which: ReleasedLeads, to: ReleasedTo): Promise<void> {
    const [onlyWaiting, movesResponded] = [which === 'waiting', which === 'responded too'];
    const terms = { id: randomUUID(), releasedAgentId: agent.id, onlyWaiting, movesResponded };
    const next = agents[(agents.indexOf(agent) + 1) % agents.length] as Agent;
    const move = {
      agent: (lead: Lead) => toAgent(lead, next, terms),
      pool: (lead: Lead) => toPool(lead, terms),
      rules: (lead: Lead) => toRules(lead, terms),
    };
    const targets = {
      agent: { kind: 'agent', agentId: next.id },
      pool: { kind: 'pool', poolId: pools.operators },
      rules: { kind: 'rules' },
    } as const;
    const isReleased = ({ ownerId, isResponded, clockDueMs }: Lead) =>
      ownerId === agent.id &&
      (movesResponded || !isResponded) &&
      (!onlyWaiting || clockDueMs !== null);
    for (const lead of model.leads)
      if (isReleased(lead)) await move[to](lead);
      else expect(await handOver(lead, targets[to], terms)).toBe(false);
    await settle();
  }

  async function absent(agent: Agent, inSteps: number, steps: number): Promise<void> {
    const fromMs = (Math.floor(nowMs / STEP_MS) + inSteps) * STEP_MS;
    const absence = { fromMs, toMs: fromMs + steps * STEP_MS };
    const [from = '', to = ''] = Object.values(absence).map((ms) => new Date(ms).toISOString());
    await leadctl('agent', 'absent', agent.email, '--from', from, '--to', to);
    agent.absences.push(absence);
    await settle();
  }

  async function change(agent: Agent, to: AgentTerms): Promise<void> {
    await seedReference(database, { agents: [adopt(agent, to)] });
    await settle();
  }

  async function expire(lead: Lead): Promise<void> {
    const { round, moves } = ledgers.get(lead)?.state() ?? { round: 0, moves: 0 };
    const again = () => worker.expireFollowUp({ leadId: lead.id, round, moves });
    await again();
    if (isExtended(lead)) {
      await expect(again()).rejects.toMatchObject({ type: 'NotOverYet' });
      await record(lead, null);
    } else {
      await record(lead, await decideExpiry(lead));
      await again();
    }
    await settle();
  }

  /** A clock that counts working time ends later if the calendar has less of it by now. */
  function isExtended(lead: Lead): boolean {
    const owner = agents.find(({ id }) => id === lead.ownerId);
    if (!owner || !lead.followUp?.isWorkingClock) return false;
    const dueMs = clockDueMs(lead, owner, lead.followUp, lead.givenMs);
    if (dueMs === null || dueMs <= nowMs) return false;
    lead.clockDueMs = dueMs;
    lead.heldUntilMs = dueMs;
    return true;
  }

  async function decideExpiry(lead: Lead): Promise<AssignmentEvent> {
    const { rule, followUp, moves } = lead;
    lead.clockDueMs = null;
    const kept = { kind: 'follow_up_expired', why: { kind: 'note_only' } } as const;
    if (rule && followUp?.onExpiry === 'pool' && rule.leave === 'pool') {
      lead.moves += 1;
      leaveLead(lead, pools.rules, rule, nowMs);
      return { kind: 'follow_up_pooled', poolId: pools.rules };
    }
    const hasMoves = followUp?.onExpiry === 'reassign' && moves < followUp.maxMoves;
    return (hasMoves && (await moveOn(lead))) || kept;
  }

  /** Another agent of the rule takes the lead over, at once or as soon as one can. */
  async function moveOn(lead: Lead): Promise<AssignmentEvent | null> {
    const { rule } = lead;
    if (!rule) return null;
    const { eligible, verdicts } = judge(model, lead, rule, nowMs);
    lead.awaitsSuccessor = eligible.length === 0;
    if (lead.awaitsSuccessor) return null;
    const row = (await readRows(database)).get(lead.id);
    expect(eligible.map(({ id }) => id)).toContain(row?.ownerId);
    expectVerdicts(row?.decidedBy, rule, verdicts);
    const agent = eligible.find(({ id }) => id === row?.ownerId) as Agent;
    lead.moves += 1;
    const followUpMs = giveLead(model, lead, { agent, rule, followUp: rule }, nowMs);
    return { kind: 'follow_up_reassigned', why, agent: viewOf(agent), followUpMs };
  }

  async function pass(minutes: number): Promise<void> {
    const untilMs = nowMs + minutes * MINUTE_MS;
    for (let events = 0; ; events += 1) {
      const next = await database.queryOne<NextDue>(NEXT_DUE);
      if (!next || next.dueAt.getTime() > untilMs) break;
      expect(events).toBeLessThan(MOST_EVENTS);
      setNow(Math.max(nowMs, next.dueAt.getTime()));
      const lead = model.leads.find(({ id }) => id === next.leadId) as Lead;
      await (next.isClock ? expire(lead) : settle());
    }
    setNow(untilMs);
    await settle();
  }

  function setNow(ms: number): void {
    nowMs = ms;
    api.setNow(new Date(ms));
  }

  async function pause(agent: Agent): Promise<void> {
    await leadctl('agent', agent.isPaused ? 'resume' : 'pause', agent.email);
    agent.isPaused = !agent.isPaused;
    await settle();
  }

  async function activateEarlier(back: number): Promise<void> {
    const earlier = model.rulesets.at(-1 - (back % model.rulesets.length));
    if (earlier) model.active = earlier;
    await leadctl('rules', 'activate', String(model.active.version), '--yes');
    await settle();
  }

  /** A worker that lost its answers does everything again. */
  async function again(lead: Lead): Promise<void> {
    const { round = 0, moves = 0 } = ledgers.get(lead)?.state() ?? {};
    for (const stale of [
      { round, moves: moves + 1 },
      { round: round - 1, moves },
    ])
      await worker.expireFollowUp({ leadId: lead.id, ...stale });
    await settle(lead, lead);
  }

  const agentOf = ({ agent }: { agent: number }) => agents[agent % agents.length] as Agent;

  /** Does it, and compares everything that it may have changed with the model. */
  async function run(command: Command): Promise<void> {
    setNow(nowMs + 1000);
    if ('lead' in command) {
      const lead = model.leads[command.lead % model.leads.length];
      return lead ? runOn(lead, command) : settle();
    }
    switch (command.kind) {
      case 'create':
        return create();
      case 'restart':
        worker = await startWorker();
        return settle();
      case 'release':
        return release(agentOf(command), command.which, command.to);
      case 'pause':
        return pause(agentOf(command));
      case 'absent':
        return absent(agentOf(command), command.inSteps, command.steps);
      case 'change':
        return change(agentOf(command), command.to);
      case 'newRules':
        await importRules(command.first, command.second, { isRenamed: command.isRenamed });
        return settle();
      case 'earlierRules':
        return activateEarlier(command.back);
      case 'pass':
        return pass(command.minutes);
    }
  }

  function runOn(lead: Lead, command: Extract<Command, { lead: number }>): Promise<void> {
    const toAnybody = { ...newRequest(), liftsExclusion: true };
    switch (command.kind) {
      case 'toAgent':
        return toAgent(lead, agentOf(command));
      case 'claim':
        return claim(lead, agentOf(command));
      case 'toAnybody':
        return toRules(lead, toAnybody);
      default:
        return { update, respond, toRules, undo, toPool, again }[command.kind](lead);
    }
  }

  async function end(): Promise<void> {
    for (const lead of model.leads) await record(lead, null);
    await expectCounts();
    await expectReport();
    await expectFaithful();
    await expectSameAgain(database);
  }

  async function expectReport(): Promise<void> {
    const period = { since: new Date(BEGINNING_MS), until: new Date(nowMs), timeZone: 'UTC' };
    const rows = await readResponses(database, { by: 'agent', ...period });
    const counts = new Map(rows.map((row) => [row.key, row]));
    const ofLeads = (isCounted: (lead: Lead) => boolean) => model.leads.filter(isCounted).length;
    for (const { id, email } of agents) {
      const assigned = model.assignments.filter(({ agentId }) => agentId === id).length;
      const responded = ofLeads(({ responderId }) => responderId === id);
      const moves = assigned - ofLeads(({ ownerId }) => ownerId === id);
      expect(counts.get(email) ?? NOTHING_REPORTED).toMatchObject({ assigned, responded, moves });
    }
  }

  /** Under its own rules `rules try` puts each lead where it went. Of two decisions at one moment it cannot know the first. */
  async function expectFaithful(): Promise<void> {
    if (await database.queryOne(DECIDED_AT_ONCE)) return;
    // Until it was taken back, a hand-over did count.
    if (model.assignments.some(({ isCounted }) => !isCounted)) return;
    const ruleset = await createRulesetStore().byVersion(database, model.active.version);
    const defaults = { followUpMinutes: model.defaultMinutes };
    const result = await simulatePast(database, ruleset, {
      since: new Date(BEGINNING_MS),
      defaults,
      sampleSize: 0,
    });
    expect(result.faithful).toBe(result.comparison.total);
  }

  async function expectCounts(): Promise<void> {
    const rows = await readAgents(database, new Date(nowMs));
    const counts = rows.map(({ id, assignedToday, openLeads }) => ({
      id,
      assignedToday,
      openLeads,
    }));
    const due = agents.map((agent) => ({
      id: agent.id,
      assignedToday: countToday(model, agent, nowMs),
      openLeads: countOpen(model, agent.id),
    }));
    expect(counts.toSorted(byId)).toEqual(due.toSorted(byId));
  }

  return { run, end };
}

const FIRST_RULES: RuleTerms = {
  keepsHours: true,
  isLeastLoaded: false,
  atMostMinutes: 720,
  leave: 'pool',
  minutes: 30,
  isWorkingClock: false,
  onExpiry: 'reassign',
  maxMoves: 2,
};

function newAgent([timeZone, offsetMinutes]: [string, number]): Agent {
  const id = randomUUID();
  const terms = { active: true, hours: null, dailyCap: null, openCap: null };
  const at = { timeZone, offsetMinutes };
  return { id, email: `${id}@agency.example`, ...at, isPaused: false, absences: [], ...terms };
}

/** Gives an agent of the model new terms; returns the agent as a dataset has them. */
function adopt(agent: Agent, { hours: name, ...terms }: AgentTerms): object {
  const { text, hours } = HOURS[name];
  const { id, email, timeZone } = Object.assign(agent, terms, { hours });
  return { id, email, name: id, timeZone, workingHours: text, ...terms };
}

function ruleRecord(rule: Rule): object {
  const { leave, atMostMinutes, minutes, onExpiry, maxMoves } = rule;
  const then = leave === 'pool' ? { kind: leave, name: POOL } : { kind: leave };
  return {
    name: rule.name,
    strategy: rule.isLeastLoaded ? 'least_loaded' : 'weighted_round_robin',
    gates: { availability: rule.keepsHours ? 'working_hours' : 'ignore' },
    onExhausted: atMostMinutes === null ? then : { kind: 'wait', atMostMinutes, then },
    followUp: { minutes, onExpiry, maxMoves, clock: rule.isWorkingClock ? 'working' : 'elapsed' },
  };
}

/** What a transition needs of an agent; notes are not compared by their text. */
function viewOf({ id, email }: Agent): AgentView {
  return { id, email, slug: id, name: id, phone: null, whatsappPhone: null, active: true };
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

const byPlace = (a: Lead, b: Lead) => a.placeMs - b.placeMs || byId(a, b);
