import { inLanes } from './assertions.ts';
import type { Action } from './plan.ts';
import type { WorkloadRoster } from './roster.ts';
import type { TestService } from './test-service.ts';

export type Ledger = ReturnType<typeof emptyLedger>;

/** What the responses said, to be compared with what the database holds. */
const emptyLedger = () => ({
  created: new Set<string>(),
  merged: 0,
  /** For each lead how many responses to updates said `rerouted`. */
  rerouted: new Map<string, number>(),
  /** Responses that named the holder, and those of them that said `rerouted` all the same. */
  updatesOfHeld: 0,
  reroutedThoughHeld: 0,
  claimed: [] as { leadId: string; agentId: string }[],
  /** How many assignments a held lead had when its response was recorded. */
  answered: new Map<string, number>(),
});

export async function runWorkload(
  service: TestService,
  roster: WorkloadRoster,
  plan: readonly Action[],
  width: number,
): Promise<Ledger> {
  const ledger = emptyLedger();
  await inLanes(plan, width, (action) => carryOut(service, roster, ledger, action));
  return ledger;
}

async function carryOut(
  service: TestService,
  roster: WorkloadRoster,
  ledger: Ledger,
  action: Action,
) {
  if (action.act === 'create') return create(service, roster, ledger, action);
  const leads = [...ledger.created];
  const leadId = leads[action.lead % leads.length];
  if (leadId === undefined) return;
  switch (action.act) {
    case 'update':
      return update(service, ledger, leadId, { source: action.kind, initialInquiry: newInquiry() });
    case 'comment':
      return update(service, ledger, leadId, { comments: [{ text: newInquiry() }] });
    case 'claim':
      return claim(service, roster, ledger, leadId, action.agent);
    case 'respond':
      return respond(service, ledger, leadId);
  }
}

let inquiries = 0;
const newInquiry = () => `Inquiry ${(inquiries += 1)}`;

type Create = Extract<Action, { act: 'create' }>;

async function create(
  service: TestService,
  { named }: WorkloadRoster,
  ledger: Ledger,
  { kind, person }: Create,
) {
  const answer = await service.enquire({
    source: kind,
    ...(person === null
      ? {}
      : { leadPhones: [`+9715200000${String(10 + person)}`], leadEmails: [] }),
    ...(kind === 'Personal' ? { assignedBy: named.email, distributionType: 'personal' } : {}),
  });
  if (answer.merged) ledger.merged += 1;
  else ledger.created.add(answer.id);
}

async function update(service: TestService, ledger: Ledger, leadId: string, body: object) {
  const { rerouted, assignedTo } = await service.update(leadId, body);
  if (assignedTo) ledger.updatesOfHeld += 1;
  if (assignedTo && rerouted) ledger.reroutedThoughHeld += 1;
  if (rerouted) ledger.rerouted.set(leadId, (ledger.rerouted.get(leadId) ?? 0) + 1);
}

async function claim(
  service: TestService,
  { claimers }: WorkloadRoster,
  ledger: Ledger,
  leadId: string,
  number: number,
): Promise<void> {
  const agentId = claimers[number % claimers.length]?.id ?? '';
  const outcome = await service.claim(leadId, agentId);
  if (outcome.claimed) ledger.claimed.push({ leadId, agentId });
}

/** Records a response; after it no event may move the lead. */
async function respond({ api, respond: record }: TestService, ledger: Ledger, leadId: string) {
  await record(leadId);
  const [row] = await api.database.query<{ held: boolean; assignments: number }>(
    `select owner_id is not null as held,
       (select count(*)::int from assignments where lead_id = l.id) as assignments
     from leads l where id = $1`,
    [leadId],
  );
  if (row?.held) ledger.answered.set(leadId, row.assignments);
}
