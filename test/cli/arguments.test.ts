import { ageMs, since } from '../../cli/arguments.ts';

const NOW = new Date('2026-03-10T12:00:00Z');

describe('--since', () => {
  test.each([
    ['90m', '2026-03-10T10:30:00.000Z'],
    ['12h', '2026-03-10T00:00:00.000Z'],
    ['7d', '2026-03-03T12:00:00.000Z'],
    ['2w', '2026-02-24T12:00:00.000Z'],
    ['2026-03-01', '2026-02-28T20:00:00.000Z'],
    ['2026-03-01T08:00', '2026-03-01T04:00:00.000Z'],
    ['2026-03-01 08:00:30', '2026-03-01T04:00:30.000Z'],
    ['2026-03-01T08:00Z', '2026-03-01T08:00:00.000Z'],
    ['2026-03-01 08:00:30+04:00', '2026-03-01T04:00:30.000Z'],
  ])('takes %s', (text, time) => {
    expect(since(text)(NOW, 'Asia/Dubai').toISOString()).toBe(time);
  });

  test.each(['12', 'Nov 1', 'yesterday', '-1d', '7 d', '2026-13-01', '2026-02-30', ''])(
    'refuses %j',
    (text) => {
      expect(() => since(text)).toThrow('This is no time');
    },
  );
});

describe('an age', () => {
  test('is a number of minutes, hours, days or weeks', () => {
    expect(['90m', '12h', '30d', '2w'].map(ageMs)).toEqual([
      5_400_000, 43_200_000, 2_592_000_000, 1_209_600_000,
    ]);
  });

  test('is no time', () => {
    expect(() => ageMs('2026-03-01')).toThrow('Expected an age');
  });
});
