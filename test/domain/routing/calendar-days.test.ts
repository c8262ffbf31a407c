import { describe, expect, it } from '@jest/globals';
import { agentStateAt, calendarDays, localText } from '../../../domain/routing/calendar-days.ts';

const calendar = {
  workingHours: { 'mon-thu': ['09:00-13:00', '16:00-20:00'], fri: '20:00-02:00' },
  timeZone: 'Europe/London',
  absences: [{ from: '2026-10-22', to: '2026-10-22T11:00Z', note: 'dentist' }],
  holidays: [{ from: '2026-10-26', to: '2026-10-26', name: 'Day of rest' }],
};
const THURSDAY = new Date('2026-10-22T10:30Z');

describe('the days of a calendar', () => {
  it('have the hours that are worked, and what else is on them', () => {
    const days = calendarDays(calendar, THURSDAY, 6);
    expect(
      days.map(({ weekday, date, hours }) => `${weekday} ${date} ${hours.join(', ')}`),
    ).toEqual([
      'Thu 2026-10-22 12:00-13:00, 16:00-20:00',
      'Fri 2026-10-23 20:00-24:00',
      'Sat 2026-10-24 00:00-02:00',
      'Sun 2026-10-25 ',
      'Mon 2026-10-26 ',
      'Tue 2026-10-27 09:00-13:00, 16:00-20:00',
    ]);
    expect(days[0]?.absences.map(({ note }) => note)).toEqual(['dentist']);
    expect(days[4]?.holidays.map(({ name }) => name)).toEqual(['Day of rest']);
    expect(days.flatMap(({ absences, holidays }) => [...absences, ...holidays])).toHaveLength(2);
  });

  it('are the whole of them for one without hours', () => {
    const free = { ...calendar, workingHours: {}, absences: [], holidays: [] };
    const hours = calendarDays(free, new Date('2026-10-24T12:00Z'), 60).map((day) => day.hours);
    expect(new Set(hours.flat())).toEqual(new Set(['00:00-24:00']));
  });

  it.each([
    ['2026-10-22T10:30Z', 'absent'],
    ['2026-10-22T11:00Z', 'working'],
    ['2026-10-22T12:00Z', 'outside_working_hours'],
    ['2026-10-26T10:00Z', 'holiday'],
  ])('at %s are %s', (at, state) => {
    expect(agentStateAt(calendar, new Date(at))).toBe(state);
  });

  it('name a moment by the clock of the zone', () => {
    expect(localText(THURSDAY, 'Asia/Dubai')).toBe('Thu 2026-10-22 14:30');
  });
});
