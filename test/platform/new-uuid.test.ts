import { newUuid } from '../../platform/new-uuid.ts';

const ids = (at: string) => Array.from({ length: 1000 }, () => newUuid(new Date(at)));

test('new ids are UUIDs, and all of a quarter of an hour have their first three digits in common', () => {
  const made = ids('2026-03-02T08:14:59.999Z');
  for (const id of made)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(made).size).toBe(made.length);
  expect(new Set(made.map((id) => id.slice(0, 3))).size).toBe(1);
  expect(new Set(made.map((id) => id.slice(0, 8))).size).toBeGreaterThan(980);
});

test('the ids of the next quarter of an hour follow', () => {
  const prefix = (at: string) => parseInt(newUuid(new Date(at)).slice(0, 3), 16);
  const first = prefix('2026-03-02T08:00:00Z');
  expect(prefix('2026-03-02T08:15:00Z')).toBe((first + 1) % 0x1000);
});
