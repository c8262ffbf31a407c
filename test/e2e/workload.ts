import type { Action } from './plan.ts';
import type { StormRoster } from './roster.ts';
import type { World } from './agency.ts';

/** What the service answered. */
export interface Books {
  created: Set<string>;
  merged: number;
  /** Leads by how often an update was told that it rerouted them. */
  rerouted: Map<string, number>;
  /** Updates that named the holder, and those that rerouted a lead which they said was held. */
  updatesOfHeld: number;
  reroutedThoughHeld: number;
  /** Who was told that they have the lead. */
  claimed: { leadId: string; agentId: string }[];
  refused: Map<string, number>;
  /** How many assignments a held lead had when its response was recorded. */
  answered: Map<string, number>;
}

const newBooks = (): Books => ({
  ...{
    created: new Set(),
    merged: 0,
    rerouted: new Map(),
    updatesOfHeld: 0,
    reroutedThoughHeld: 0,
  },
  ...{ claimed: [], refused: new Map(), answered: new Map() },
});

/** Carries the plan out, `width` actions at a time; each lane takes the next one when it is free. */
export async function storm(
  world: World,
  roster: StormRoster,
  plan: readonly Action[],
  width: number,
): Promise<Books> {
  const books = newBooks();
  const rest = [...plan];
  const lane = async (): Promise<void> => {
    for (let next = rest.shift(); next; next = rest.shift())
      await carryOut(world, roster, books, next);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return books;
}

async function carryOut(world: World, roster: StormRoster, books: Books, action: Action) {
  if (action.act === 'create') return create(world, roster, books, action);
  const leads = [...books.created];
  const leadId = leads[action.lead % leads.length];
  if (leadId === undefined) return;
  switch (action.act) {
    case 'update':
      return update(world, books, leadId, { source: action.kind, initialInquiry: wish() });
    case 'comment':
      return update(world, books, leadId, { comments: [{ text: wish() }] });
    case 'claim':
      return claim(world, roster, books, leadId, action.agent);
    case 'respond':
      return respond(world, books, leadId);
  }
}

let wishes = 0;
const wish = () => `Wish ${(wishes += 1)}`;

type Create = Extract<Action, { act: 'create' }>;

async function create(
  world: World,
  { named }: StormRoster,
  books: Books,
  { kind, person }: Create,
) {
  const answer = await world.enquire({
    source: kind,
    ...(person === null
      ? {}
      : { leadPhones: [`+9715200000${String(10 + person)}`], leadEmails: [] }),
    ...(kind === 'Personal' ? { assignedBy: named.email, distributionType: 'personal' } : {}),
  });
  if (answer.merged) books.merged += 1;
  else books.created.add(answer.id);
}

async function update(world: World, books: Books, leadId: string, body: object): Promise<void> {
  const { rerouted, assignedTo } = await world.update(leadId, body);
  if (assignedTo) books.updatesOfHeld += 1;
  if (assignedTo && rerouted) books.reroutedThoughHeld += 1;
  if (rerouted) books.rerouted.set(leadId, (books.rerouted.get(leadId) ?? 0) + 1);
}

async function claim(
  world: World,
  { claimers }: StormRoster,
  books: Books,
  leadId: string,
  number: number,
): Promise<void> {
  const agentId = claimers[number % claimers.length]?.id ?? '';
  const outcome = await world.claim(leadId, agentId);
  if (outcome.claimed) books.claimed.push({ leadId, agentId });
  else books.refused.set(outcome.reason, (books.refused.get(outcome.reason) ?? 0) + 1);
}

/** Once a holder has responded, nothing moves the lead any more. */
async function respond({ api, respond: record }: World, books: Books, leadId: string) {
  await record(leadId);
  const [row] = await api.database.query<{ held: boolean; assignments: number }>(
    `select owner_id is not null as held,
       (select count(*)::int from assignments where lead_id = l.id) as assignments
     from leads l where id = $1`,
    [leadId],
  );
  if (row?.held) books.answered.set(leadId, row.assignments);
}
