import fc from 'fast-check';
import {
  absentUntil,
  addWorkingTime,
  isAbsentAt,
  isHolidayAt,
  isWorkingAt,
  nextPresentMoment,
  nextWorkingMoment,
  spanOf,
  type Calendar,
  type DatedHours,
  agentStateAt,
  calendarDays,
  localText,
} from '../../../domain/routing/calendar.ts';
import { workingTimeBetween } from '../../support/working-time.ts';
import { startOfDate } from '../../../domain/routing/local-time.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const make = (change: Partial<Calendar>): Calendar => ({
  workingHours: { 'mon-fri': '09:00-18:00' },
  timeZone: 'Europe/London',
  absences: [],
  holidays: [],
  ...change,
});

const NIGHTS = { workingHours: { 'mon-sun': '20:00-02:00' } };

const off = (from: string, to = from) => [{ from, to }];
const TWO_YEARS = { absences: off('2026-01-01', '2027-12-31') };
const from22To6 = { workingHours: { sat: '22:00-06:00' } };
/** A moment of 2026 in UTC. */
const at = (moment: string) => new Date(`2026-${moment}Z`);

describe('working time', () => {
  it.each<[string, Partial<Calendar>, string, number, string | null]>([
    ['runs inside the hours', {}, '03-02T10:00:30', 15, '03-02T10:15:30'],
    ['without hours is all time', { workingHours: {} }, '03-07T03:00', 15, '03-07T03:15'],
    [
      'includes the last minute of a day that ends at 23:59',
      { workingHours: { 'mon-sun': '00:00-23:59' } },
      '03-02T23:50',
      15,
      '03-03T00:05',
    ],
    ['in the night that loses an hour is shorter', from22To6, '03-28T22:00', 7 * 60, '03-29T05:00'],
    ['in the night that gains an hour is longer', from22To6, '10-24T21:00', 9 * 60, '10-25T06:00'],
    ['is none of unreadable hours', { workingHours: { mon: 'noon' } }, '03-02T10:00', 1, null],
    ['is none in an unknown zone', { timeZone: 'No/Where' }, '03-02T10:00', 1, null],
    ['is none in an absence of over a year', TWO_YEARS, '03-02T10:00', 1, null],
  ])('%s', (_sentence, change, from, minutes, due) => {
    const end = addWorkingTime(make(change), at(from), minutes * MINUTE_MS);
    expect(end).toEqual(due === null ? null : at(due));
  });

  it('begins at the next opening, where that is before the end of the wait', () => {
    const next = (until: string) =>
      nextWorkingMoment(make({}), new Date('2026-03-06T20:00Z'), new Date(until));
    expect(next('2026-03-09T09:01Z')).toEqual(new Date('2026-03-09T09:00Z'));
    expect(next('2026-03-09T09:00Z')).toBeNull();
  });

  it.each([
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ['Africa/Cairo', '2026-10-30', '2026-10-29T22:00:00.000Z'],
    ['Asia/Dubai', '2026-12-20', '2026-12-19T20:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-12-20', '2026-12-19T10:00:00.000Z'],
    ['Pacific/Niue', '2026-12-20', '2026-12-20T11:00:00.000Z'],
  ])('in %s %s begins at %s', (zone, date, at) => {
    expect(new Date(startOfDate(date, zone)).toISOString()).toBe(at);
  });
});

/** Fortnights with a change of the clock in them; Cairo's changes at midnight, Lord Howe's by half an hour. */
const FORTNIGHTS = [
  ['Europe/London', '2026-03-23'],
  ['Europe/London', '2026-10-19'],
  ['America/New_York', '2026-03-02'],
  ['America/New_York', '2026-10-26'],
  ['Australia/Lord_Howe', '2026-03-30'],
  ['Australia/Lord_Howe', '2026-09-28'],
  ['Africa/Cairo', '2026-04-18'],
  ['Africa/Cairo', '2026-10-24'],
  ['America/St_Johns', '2026-03-02'],
  ['Asia/Dubai', '2026-12-25'],
] as const;

interface Minute {
  ms: number;
  date: string;
  weekday: number;
  minuteOfDay: number;
}

/** Every minute of a fortnight as the clocks of its zone show it. */
function readMinutes(timeZone: string, firstDay: string): Minute[] {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return Array.from({ length: 14 * DAY_MINUTES }, (_, at) => {
    const ms = Date.parse(firstDay) + at * MINUTE_MS;
    const [date = '', time = ''] = format.format(ms).split(' ');
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    const weekday = (new Date(date).getUTCDay() + 6) % 7;
    return { ms, date, weekday, minuteOfDay: hours * 60 + minutes };
  });
}

const fortnights = FORTNIGHTS.map(([timeZone, firstDay]) => {
  const minutes = readMinutes(timeZone, firstDay);
  return { timeZone, minutes, dates: [...new Set(minutes.map(({ date }) => date))] };
});

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Starts often lie in the hours in which clocks change. */
const minuteOfDay = fc.oneof(fc.nat(DAY_MINUTES - 1), fc.nat(200));
const window = fc.tuple(minuteOfDay, minuteOfDay).map(([start, end]) => ({ start, end }));
const week = fc.array(
  fc.record({ day: fc.nat(6), windows: fc.array(window, { maxLength: 3 }), isList: fc.boolean() }),
  { maxLength: 6 },
);
type Week = typeof week extends fc.Arbitrary<infer T> ? T : never;

/** Entries of a record need names of their own, so each day is written with as many commas as it takes. */
function writeHours(entries: Week): Record<string, string | string[]> {
  return Object.fromEntries(
    entries.map(({ day, windows, isList }, at) => {
      const texts = windows.map(({ start, end }) => `${clock(start)}-${clock(end)}`);
      return [`${' '.repeat(at)}${DAYS[day]}`, isList ? texts : texts.join(',')];
    }),
  );
}

const periods = fc.array(
  fc.record({
    from: fc.nat(13 * DAY_MINUTES),
    length: fc.nat(4000),
    asDates: fc.constantFrom([true, true], [false, false], [true, false], [false, true]),
  }),
  { maxLength: 3 },
);
type Periods = typeof periods extends fc.Arbitrary<infer T> ? T : never;

function writePeriods(list: Periods, minutes: readonly Minute[]) {
  return list.map(({ from, length, asDates }) => {
    const ends = [from, Math.min(from + length, minutes.length - 1)];
    const [first = '', last = ''] = ends.map((minute, at) => {
      const { ms = 0, date = '' } = minutes[minute] ?? {};
      return asDates[at] ? date : new Date(ms).toISOString();
    });
    return { from: first, to: last };
  });
}

/** Whether a minute of a shift that began on a day is free. Reads the texts once: the oracle asks for every minute. */
function createFreeTime(list: Calendar['absences']) {
  const periods = list.map(({ from, to }) => ({
    start: from.includes('T') ? Date.parse(from) : from,
    end: to.includes('T') ? Date.parse(to) : to,
  }));
  return ({ ms }: Minute, day: string) =>
    periods.some(
      ({ start, end }) =>
        (typeof start === 'string' ? day >= start : ms >= start) &&
        (typeof end === 'string' ? day <= end : ms < end),
    );
}

function writeDatedHours(
  dated: { first: number; days: number; entries: Week } | null,
  dates: readonly string[],
): DatedHours[] {
  const [from, to] = [dates[dated?.first ?? 0], dates.at((dated?.first ?? 0) + (dated?.days ?? 0))];
  if (!dated || from === undefined) return [];
  return [{ from, to: to ?? from, workingHours: writeHours(dated.entries) }];
}

/** The days whose shifts a minute belongs to: its own day, and the one before if that one's hours run past midnight. */
function createShiftDays(usual: Week, dated: Week, [period]: readonly DatedHours[]) {
  const isDated = (date: string) => !!period && date >= period.from && date <= period.to;
  const entriesOn = (date: string) => (isDated(date) ? dated : usual);
  const entriesAround = (date: string) => {
    const before = dayBefore(date);
    return { today: entriesOn(date), yesterday: entriesOn(before), before };
  };
  const days = new Map<string, ReturnType<typeof entriesAround>>();
  return ({ weekday, date, minuteOfDay: minute }: Minute): string[] => {
    const day = days.get(date) ?? entriesAround(date);
    days.set(date, day);
    const { today, yesterday, before } = day;
    const isToday =
      today.length === 0 ||
      today.some(
        ({ day, windows }) =>
          day === weekday &&
          windows.some(
            ({ start, end }) =>
              minute >= start && (end <= start || minute < end || end === DAY_MINUTES - 1),
          ),
      );
    const isOfYesterday = yesterday.some(
      ({ day, windows }) =>
        (day + 1) % 7 === weekday && windows.some(({ start, end }) => end <= start && minute < end),
    );
    return [...(isToday ? [date] : []), ...(isOfYesterday ? [before] : [])];
  };
}

const dayBefore = (date: string) =>
  new Date(Date.parse(date) - DAY_MINUTES * MINUTE_MS).toISOString().slice(0, 10);

const scenario = fc.record({
  fortnight: fc.constantFrom(...fortnights),
  entries: week,
  absences: periods,
  holidays: periods,
  dated: fc.option(fc.record({ first: fc.nat(12), days: fc.nat(5), entries: week })),
  from: fc.nat(13 * DAY_MINUTES),
  length: fc.oneof(fc.nat(90), fc.nat(2000)),
});

describe('an absence', () => {
  const absences = (...days: [string, string][]) =>
    make({
      absences: days.map(([from, to]) => ({ from: `2026-03-${from}`, to: `2026-03-${to}` })),
    });

  it.each<[string, Calendar, string | null]>([
    ['on its last day', absences(['23', '24']), '2026-03-24'],
    ['whose next one adjoins it', absences(['25', '28'], ['23', '24']), '2026-03-28'],
    ['whose next ones overlap', absences(['23', '25'], ['24', '24'], ['25', '27']), '2026-03-27'],
    ['within a longer one', absences(['20', '30'], ['24', '25']), '2026-03-30'],
    ['that goes on at a time', absences(['24', '24'], ['25', '25T11:00Z']), '2026-03-25T11:00Z'],
    ['a day before the next one', absences(['23', '24'], ['26', '28']), '2026-03-24'],
    ['that has not begun', absences(['25', '28']), null],
  ])('%s lasts until its unbroken end', (_, calendar, until) => {
    expect(absentUntil(calendar, new Date('2026-03-24T10:00Z'))).toBe(until);
  });

  it('begins and ends with shifts, and names no moment that is over', () => {
    const calendar = { ...absences(['24', '24'], ['25', '25']), ...NIGHTS };
    const at = ['24T01:59Z', '24T02:00Z', '25T01:00Z', '26T01:59Z', '26T02:00Z'];
    const shiftEnd = '26T02:00:00.000Z';
    expect(at.map((time) => absentUntil(calendar, new Date(`2026-03-${time}`)))).toEqual(
      [null, '25', '25', shiftEnd, null].map((until) => until && `2026-03-${until}`),
    );
  });

  it('lasts until the end of the next one that begins with the end of its last shift', () => {
    const calendar = { ...absences(['24', '24'], ['25T02:00Z', '25T11:00Z']), ...NIGHTS };
    const until = absentUntil(calendar, new Date('2026-03-25T01:00Z'));
    expect(until).toBe('2026-03-25T11:00:00.000Z');
  });
});

describe('working time against the clock on the wall, minute by minute', () => {
  it('agrees in 10,000 random calendars', () => {
    fc.assert(
      fc.property(
        scenario,
        ({ fortnight: { timeZone, minutes, dates }, entries, dated, from, length, ...free }) => {
          const absences = writePeriods(free.absences, minutes);
          const holidays = writePeriods(free.holidays, minutes);
          const datedHours = writeDatedHours(dated, dates);
          const usual = { workingHours: writeHours(entries), timeZone };
          const calendar = { ...usual, datedHours, absences, holidays };
          const shiftDays = createShiftDays(entries, dated?.entries ?? [], datedHours);
          const [isAbsence, isHoliday] = [createFreeTime(absences), createFreeTime(holidays)];
          const isWhollyIn = (isFree: typeof isAbsence, minute: Minute) => {
            const days = shiftDays(minute);
            return (days.length > 0 ? days : [minute.date]).every((day) => isFree(minute, day));
          };
          const later = minutes.slice(from, from + 3 * DAY_MINUTES);
          const worked = later.filter((minute) =>
            shiftDays(minute).some((day) => !isAbsence(minute, day) && !isHoliday(minute, day)),
          );
          const present = later.find((minute) => !isWhollyIn(isAbsence, minute));
          const [first, end] = [later[0], later.at(-1)];
          if (!first || !end) return;
          const start = new Date(first.ms);
          const until = new Date(end.ms + MINUTE_MS);

          expect(isWorkingAt(calendar, start)).toBe(worked[0] === first);
          expect(isAbsentAt(calendar, start)).toBe(isWhollyIn(isAbsence, first));
          const absenceEnd = absentUntil(calendar, start);
          expect(absenceEnd !== null).toBe(isWhollyIn(isAbsence, first));
          if (absenceEnd !== null) {
            const { endMs } = spanOf({ from: absenceEnd, to: absenceEnd }, timeZone);
            expect(endMs).toBeGreaterThan(first.ms);
          }
          expect(isHolidayAt(calendar, start)).toBe(isWhollyIn(isHoliday, first));
          expect(nextPresentMoment(calendar, start, until)?.getTime()).toBe(present?.ms);
          expect(nextWorkingMoment(calendar, start, until)?.getTime()).toBe(worked[0]?.ms);
          expect(workingTimeBetween(calendar, start, until)).toBe(worked.length * MINUTE_MS);
          const due = addWorkingTime(calendar, start, length * MINUTE_MS)?.getTime();
          const last = worked[length - 1];
          if (length === 0) expect(due).toBe(first.ms);
          else if (last) expect(due).toBe(last.ms + MINUTE_MS);
          else expect(due ?? Infinity).toBeGreaterThan(until.getTime());
        },
      ),
      { numRuns: 10_000 },
    );
  });
});

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
