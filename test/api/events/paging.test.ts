import fc from 'fast-check';
import { eventTypes, type EventType } from '../../../domain/webhooks/event-payloads.ts';
import { type TestClient, startIntake } from '../../support/api.ts';

const api = await startIntake();
afterAll(() => api.stop());

type Step =
  | { act: 'create'; client: number }
  | { act: 'respond'; client: number; lead: number }
  | { act: 'read'; reader: number; limit: number };

interface Reader {
  client: TestClient;
  types: readonly EventType[];
  after: string | null;
  seen: string[];
}

const [client, lead] = [fc.nat(1), fc.nat(9)];
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ act: fc.constant('create' as const), client }),
  fc.record({ act: fc.constant('respond' as const), client, lead }),
  fc.record({
    act: fc.constant('read' as const),
    reader: fc.nat(3),
    limit: fc.integer({ min: 1, max: 4 }),
  }),
);
const plan = fc.record({
  steps: fc.array(step, { minLength: 20, maxLength: 40 }),
  types: fc.array(fc.subarray([...eventTypes], { minLength: 1 }), { minLength: 4, maxLength: 4 }),
});

async function readPage(reader: Reader, limit: number): Promise<boolean> {
  const { client, types, after } = reader;
  const cursor = after === null ? '' : `&after=${after}`;
  const query = `?limit=${limit}&types=${types.join()}${cursor}`;
  const { body } = await api.call('GET', `/public/events${query}`, { client });
  reader.seen.push(...body.data.map(({ id }: { id: string }) => id));
  reader.after = body.meta.next;
  expect(body.data.length).toBeLessThanOrEqual(limit);
  if (body.meta.hasMore) expect(body.data).toHaveLength(limit);
  return body.meta.hasMore;
}

/** What was committed, in the order of the statements: here one follows another. */
async function eventsOf(client: TestClient, types: readonly EventType[]): Promise<string[]> {
  const rows = await api.database.query<{ id: string }>(
    `select id from webhook_events where client_id = $1 and type = any ($2) order by created_at, sequence`,
    [client.id, types],
  );
  return rows.map(({ id }) => id);
}

test('readers of any types with pages of any size see each event once and in order, while others are written', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ steps, types }) => {
      const clients = [await api.addClient(), await api.addClient()] as const;
      const readers = types.map((of, index): Reader => {
        return { client: clients[index % 2 ? 1 : 0], types: of, after: null, seen: [] };
      });
      const leads: string[][] = [[], []];
      let seconds = 0;
      for (const each of steps) {
        api.setNow(new Date(Date.UTC(2026, 8, 20) + (seconds += 1) * 1000));
        if (each.act === 'read') {
          await readPage(readers[each.reader] as Reader, each.limit);
          continue;
        }
        const by = { client: clients[each.client ? 1 : 0] };
        const own = leads[each.client] ?? [];
        const leadId = each.act === 'respond' ? own[each.lead % own.length] : undefined;
        if (leadId === undefined) own.push((await api.create({}, by)).id);
        else {
          const body = { seconds };
          await api.call('POST', `/public/leads/${leadId}/response-time`, { ...by, body });
        }
      }
      for (const reader of readers)
        while (await readPage(reader, 3)) expect(reader.seen.length).toBeLessThan(50);
      for (const { client, types: of, seen } of readers)
        expect(seen).toEqual(await eventsOf(client, of));
    }),
    { numRuns: 8, endOnFailure: true },
  );
  api.setNow(null);
});
