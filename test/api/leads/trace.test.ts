import { randomBytes } from 'node:crypto';
import { newPhone, startIntake } from '../../support/api.ts';

const api = await startIntake();
afterAll(() => api.stop());

const newTrace = () => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
const sent = (traceparent: string) => ({ headers: { traceparent } });

const traceOf = async (leadId: string): Promise<unknown> => (await api.lead(leadId)).traceparent;

async function tracesOfEvents(leadId: string): Promise<unknown[]> {
  const events = await api.database.query<{ traceparent: string | null }>(
    `select traceparent from webhook_events where lead_id = $1 order by sequence`,
    [leadId],
  );
  return events.map(({ traceparent }) => traceparent);
}

describe('the trace of a request', () => {
  test('is kept with the lead that it makes and with its event, also of creates that share a transaction', async () => {
    const traces = [newTrace(), null, newTrace(), 'none', newTrace()];
    const leads = await Promise.all(
      traces.map((trace) => api.create({}, trace === null ? {} : sent(trace))),
    );
    for (const [index, { id }] of leads.entries()) {
      const kept = traces[index] === 'none' ? null : traces[index];
      expect({ lead: await traceOf(id), events: await tracesOfEvents(id) }).toEqual({
        lead: kept,
        events: [kept],
      });
    }
  });

  test('gives way to that of the next request that changes the lead, and the event keeps its own', async () => {
    const [first, second, third] = [newTrace(), newTrace(), newTrace()];
    const leadPhones = [newPhone()];
    const { id } = await api.create({ leadPhones }, sent(first));
    await api.update(id, { budgetMax: '2500000' }, sent(second));
    expect(await traceOf(id)).toBe(second);
    await api.update(id, { budgetMax: '2500000' }, sent(third));
    expect(await traceOf(id)).toBe(second);
    const merged = await api.create({ leadPhones, initialInquiry: 'A villa.' }, sent(third));
    expect(merged).toMatchObject({ id, merged: true });
    expect(await traceOf(id)).toBe(third);
    await api.update(id, { budgetMax: '3000000' });
    expect(await traceOf(id)).toBeNull();
    expect(await tracesOfEvents(id)).toEqual([first, third]);
  });

  test('is kept for no other client', async () => {
    const other = await api.addClient();
    const leadPhones = [newPhone()];
    const { id } = await api.create({ leadPhones }, sent(newTrace()));
    const options = { ...sent(newTrace()), client: other };
    await api.create({ leadPhones, initialInquiry: 'A villa.' }, options);
    expect(await traceOf(id)).toBeNull();
  });

  test('is in no response', async () => {
    const trace = newTrace();
    const { status, headers, body } = await api.post({ leadPhones: [newPhone()] }, sent(trace));
    expect(status).toBe(201);
    expect(JSON.stringify([...headers, body])).not.toMatch(new RegExp(trace.slice(3, 35), 'i'));
    expect([...headers.keys()].filter((name) => name.startsWith('trace'))).toEqual([]);
  });
});
