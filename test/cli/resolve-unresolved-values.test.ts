import { randomUUID } from 'node:crypto';
import { resolveUnresolvedValues } from '../../cli/dataset/resolve-unresolved-values.ts';
import { loadReference } from '../../store/catalogue/reference.ts';
import { startIntake } from '../support/api.ts';
import { seedReference } from '../support/reference.ts';

const api = await startIntake();
afterAll(() => api.stop());

async function resolve() {
  return resolveUnresolvedValues(api.database, {
    reference: await loadReference(api.database, 'Our Company'),
    author: 'olga',
    now: new Date(),
    newId: randomUUID,
  });
}

const outboxOf = (leadId: string) =>
  api.database.query(`select event from lead_outbox where lead_id = $1 order by id`, [leadId]);
const notesOf = (leadId: string) =>
  api.database.query(`select text from timeline_notes where lead_id = $1 and kind = 'resolved'`, [
    leadId,
  ]);

describe('When a list gains the record that an earlier value named', () => {
  test('the lead is filled, only that key is cleared, a note is left, and an ownerless lead is rerouted', async () => {
    const sent = {
      source: 'Radio',
      areaOfInterest: 'Downtown',
      eventType: 'Jingle',
      funnel: 'Moon',
    };
    const lead = await api.create(sent);
    const held = await api.create({ ...sent, assignedBy: 'sara@agency.example' });
    await seedReference(api.database, {
      sources: [{ name: 'Radio' }],
      eventTypes: [{ name: 'JINGLE' }],
    });
    expect(await resolve()).toMatchObject({ resolved: 2, rerouted: 1 });
    expect(await api.lead(lead.id)).toMatchObject({
      source_id: expect.any(String),
      event_type_id: expect.any(String),
      intake_unresolved: { areaOfInterest: 'Downtown', funnel: 'Moon' },
      assignment_status: 'pending',
      round: 2,
    });
    expect(await outboxOf(lead.id)).toEqual([{ event: 'created' }, { event: 'resolved' }]);
    expect(await notesOf(lead.id)).toEqual([
      {
        text: 'An import by olga resolved what was sent earlier: eventTypeId, sourceId. Sent back through assignment.',
      },
    ]);
    expect(await api.lead(held.id)).toMatchObject({
      source_id: expect.any(String),
      assignment_status: 'assigned',
      round: 1,
    });
    expect(await outboxOf(held.id)).toEqual([{ event: 'created' }, { event: 'resolved' }]);
    expect(await resolve()).toMatchObject({ resolved: 0, rerouted: 0 });
  });

  test('a listing hands down what the lead lacks', async () => {
    const lead = await api.create({ referenceNo: 'AG-NEW', developerName: 'Nakheel' });
    await seedReference(api.database, {
      listings: [
        {
          referenceNo: 'ag-new',
          purpose: 'rent',
          market: 'secondary',
          price: '90000',
          developer: 'emaar',
          bedrooms: '3',
        },
      ],
    });
    await resolve();
    expect(await api.lead(lead.id)).toMatchObject({
      listing_id: expect.any(String),
      developer_id: lead.developerName.id,
      bedrooms: '3',
      budget_min: '90000',
      intake_unresolved: null,
    });
  });

  test('sub-sources join those that the lead has, and what is still unknown stays flagged', async () => {
    const lead = await api.create({ source: 'Website', subSource: ['Chat', 'Kiosk', 'Booth'] });
    expect(lead.intakeUnresolved).toEqual({ subSource: ['Kiosk', 'Booth'] });
    await seedReference(api.database, {
      sources: [{ name: 'Website', subSources: ['Landing Page', 'Chat', 'Kiosk'] }],
    });
    await resolve();
    const row = await api.lead(lead.id);
    expect(row.sub_source_ids).toHaveLength(2);
    expect(row.sub_source_ids[0]).toBe(lead.subSource[0].id);
    expect(row.intake_unresolved).toEqual({ subSource: ['Booth'] });
  });

  test('a developer that was named since by its other field stays', async () => {
    const lead = await api.create({ developerName: 'Late Builders' });
    await api.update(lead.id, { developerId: 'emaar' });
    await seedReference(api.database, { developers: [{ slug: 'late', name: 'Late Builders' }] });
    const before = await api.lead(lead.id);
    await resolve();
    expect(await api.lead(lead.id)).toEqual(before);
  });

  test('quiz flags are left to people', async () => {
    const quiz = { quizKey: 'r', answers: [{ questionKey: 'q', value: 'Radio' }] };
    const lead = await api.create({ quiz });
    await resolve();
    expect(await api.lead(lead.id)).toMatchObject({ intake_unresolved: { 'quiz.r.q': 'Radio' } });
  });
});
