import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUuid } from '../../platform/new-uuid.ts';
import { newPhone, startIntake, type Intake } from '../support/intake.ts';

let api: Intake;
beforeAll(async () => {
  api = await startIntake();
});
afterAll(() => api?.stop());

test('an id is a UUID of version 7 that begins with its time', () => {
  const time = new Date('2026-03-02T08:00:00.123Z');
  const ids = [newUuid(time), newUuid(time)];
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(time.getTime());
  }
});

test('the rows of leads have ids in the order of their creation', async () => {
  for (let minute = 0; minute < 5; minute += 1) {
    api.setNow(new Date(Date.UTC(2031, 0, 1, 8, minute)));
    expect((await api.post({ leadPhones: [newPhone()] })).status).toBe(201);
  }
  api.setNow(null);
  for (const [table, time] of [
    ['leads', 'created_at'],
    ['contacts', 'created_at'],
    ['submissions', 'received_at'],
    ['timeline_notes', 'at'],
    ['webhook_events', 'created_at'],
  ]) {
    const rows = await api.database.query<{ id: string }>(
      `select id from ${table} order by ${time}`,
    );
    const ids = rows.map(({ id }) => id);
    expect(ids).toHaveLength(5);
    expect(ids).toEqual(ids.toSorted());
  }
});
