import { waitUntil } from '../../dev/wait-until.ts';
import type { Stack } from '../../dev/stack.ts';
import type { Database } from '../../store/db/database.ts';

type Sender = Awaited<ReturnType<typeof createSender>>;

let phones = 0;

export async function createSender(stack: Stack) {
  const token = await tokenOf(stack);
  const acknowledged: string[] = [];
  const refused: number[] = [];

  async function send(): Promise<void> {
    const phone = `+97150${String(2_000_000 + (phones += 1))}`;
    const answer = await fetch(`${stack.baseUrl}/public/leads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ leadPhones: [phone] }),
      signal: AbortSignal.timeout(60_000),
    }).catch(() => null);
    if (answer?.status === 201) acknowledged.push(((await answer.json()) as { id: string }).id);
    else refused.push(answer?.status ?? 0);
  }

  async function inLanes(width: number, isDone: () => boolean): Promise<void> {
    const lane = async (): Promise<void> => {
      while (!isDone()) await send();
    };
    await Promise.all(Array.from({ length: width }, lane));
  }

  return {
    acknowledged,
    refused,
    /** Sends `count` enquiries, `width` at a time; a connection that fails counts as status 0. */
    async sendMany(count: number, width = 8) {
      let left = count;
      await inLanes(width, () => left-- <= 0);
    },
    sendUntil: (isEnough: () => boolean, width = 8) => inLanes(width, isEnough),
  };
}

async function tokenOf({ baseUrl, clientId, clientSecret }: Stack): Promise<string> {
  const answer = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Heartbeats, tasks and activities of a killed worker have to time out, on a slow machine. */
const SETTLED_WITHIN_MS = 400_000;

export async function waitUntilSettled(database: Database): Promise<void> {
  const isSettled = async () =>
    expect(
      await database.query(
        `select id::text from leads where assignment_status = 'pending'
         union all select event_id from webhook_deliveries where status <> 'delivered'`,
      ),
    ).toEqual([]);
  const what = 'Every lead routed and every webhook delivered';
  await waitUntil(isSettled, { what, timeoutMs: SETTLED_WITHIN_MS, everyMs: 200 });
}

/** The receiver got every event that has a delivery, under its one id. */
async function expectAllDelivered(database: Database, stack: Stack): Promise<void> {
  const received = new Set(stack.receiver.received().map(({ id }) => id));
  const due = await database.query<{ id: string }>(
    `select distinct event_id as id from webhook_deliveries`,
  );
  expect(due.filter(({ id }) => !received.has(id))).toEqual([]);
}

/** Every acknowledged lead exists once, has one assignment row, and its events were delivered. A repeated create may have been merged. */
export async function expectAcknowledgedOnce(
  database: Database,
  stack: Stack,
  sender: Sender,
): Promise<void> {
  const leads = await database.query<{ id: string; outcomes: number; events: string[] }>(
    `select l.id,
       (select count(*)::int from assignments a where a.lead_id = l.id) as outcomes,
       (select array_agg(e.type order by e.sequence) from webhook_events e
        where e.lead_id = l.id and e.type <> 'lead.enquired') as events
     from leads l where l.id = any ($1::uuid[])`,
    [sender.acknowledged],
  );
  expect(leads).toHaveLength(sender.acknowledged.length);
  for (const lead of leads) {
    expect(lead.outcomes).toBe(1);
    expect(lead.events).toEqual(['lead.created', 'lead.assigned']);
  }
  await expectAllDelivered(database, stack);
}

/** Each agent's number of leads follows from the weights, to within one turn of the rotation. */
export async function expectWeightedDistribution(
  database: Database,
  weights: Record<string, number>,
): Promise<void> {
  const rows = await database.query<{ agent: string; leads: number }>(
    `select agent_id as agent, count(*)::int as leads from assignments where agent_id is not null group by 1`,
  );
  const total = rows.reduce((sum, row) => sum + row.leads, 0);
  const cycle = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  for (const { agent, leads } of rows)
    expect(Math.abs(leads - (total * (weights[agent] ?? 0)) / cycle)).toBeLessThanOrEqual(1);
}
