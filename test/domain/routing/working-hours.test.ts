import { isWorkingAt } from '../../../domain/routing/calendar.ts';
import {
  formatHours,
  overlapIssues,
  parseHours,
  workingHoursIssues,
  type WorkingHours,
} from '../../../domain/routing/working-hours.ts';

const isWithinWorkingHours = (workingHours: WorkingHours, timeZone: string, at: Date) =>
  isWorkingAt({ workingHours, timeZone, absences: [], holidays: [] }, at);

const MON = '2026-03-02';
const FRI = '2026-03-06';
const SAT = '2026-03-07';
const SUN = '2026-03-08';
const TUE = '2026-03-03';

describe('working hours in Dubai (UTC+4)', () => {
  it.each([
    ['inside', { 'mon-fri': '09:00-18:00' }, `${MON}T09:00+04:00`, true],
    ['the end is no longer inside', { 'mon-fri': '09:00-18:00' }, `${MON}T18:00+04:00`, false],
    ['before the start', { 'mon-fri': '09:00-18:00' }, `${MON}T08:59+04:00`, false],
    ['a day that is not named', { 'mon-fri': '09:00-18:00' }, `${SAT}T12:00+04:00`, false],
    ['one day', { sat: '10:00-14:00' }, `${SAT}T12:00+04:00`, true],
    ['days in capitals and in full', { 'Monday-FRIDAY': '9:00-18:00' }, `${TUE}T12:00+04:00`, true],
    ['a range over the end of the week', { 'sun-thu': '09:00-18:00' }, `${SUN}T12:00+04:00`, true],
    [
      'outside a range over the end of the week',
      { 'sun-thu': '09:00-18:00' },
      `${FRI}T12:00+04:00`,
      false,
    ],
    ['a list of days', { 'mon,wed-thu': '09:00-18:00' }, `${MON}T12:00+04:00`, true],
    [
      'a day between two listed ones',
      { 'mon,wed-thu': '09:00-18:00' },
      `${TUE}T12:00+04:00`,
      false,
    ],
    ['a break at noon', { mon: '09:00-13:00,15:00-18:00' }, `${MON}T14:00+04:00`, false],
    ['after the break', { mon: '09:00-13:00, 15:00-18:00' }, `${MON}T15:00+04:00`, true],
    ['a list of spans', { mon: ['09:00-13:00', '15:00-18:00'] }, `${MON}T15:00+04:00`, true],
    ['between listed spans', { mon: ['09:00-13:00', '15:00-18:00'] }, `${MON}T14:00+04:00`, false],
    ['an empty list', { mon: [] }, `${MON}T12:00+04:00`, false],
    [
      'a listed span past midnight',
      { sun: ['09:00-13:00', '20:00-02:00'] },
      `${MON}T01:59+04:00`,
      true,
    ],
    ['late on a shift over midnight', { mon: '22:00-06:00' }, `${MON}T23:00+04:00`, true],
    ['the next morning of that shift', { mon: '22:00-06:00' }, `${TUE}T05:59+04:00`, true],
    ['the morning before that shift', { mon: '22:00-06:00' }, `${MON}T05:00+04:00`, false],
    ['Sunday night’s shift on Monday morning', { sun: '22:00-06:00' }, `${MON}T05:00+04:00`, true],
    ['midnight on a shift over midnight', { mon: '22:00-06:00' }, `${TUE}T00:00+04:00`, true],
    [
      'the first hour of a shift over midnight',
      { mon: '22:00-06:00' },
      `${MON}T00:30+04:00`,
      false,
    ],
    ['the first minute of a day', { mon: '00:00-06:00' }, `${MON}T00:00+04:00`, true],
    ['the midnight that ends a day', { mon: '18:00-24:00' }, `${TUE}T00:00+04:00`, false],
    ['once round the clock', { mon: '09:00-09:00' }, `${TUE}T08:59+04:00`, true],
    ['a whole day', { mon: '00:00-24:00' }, `${MON}T23:59+04:00`, true],
    ['a day off', { mon: '' }, `${MON}T12:00+04:00`, false],
    ['no hours at all', {}, `${MON}T03:00+04:00`, true],
    ['hours that cannot be read', { mon: 'morning' }, `${MON}T10:00+04:00`, false],
  ])('%s', (_sentence, hours: WorkingHours, at, inside) => {
    expect(isWithinWorkingHours(hours, 'Asia/Dubai', new Date(at))).toBe(inside);
  });

  it('are those of the agent’s own time zone', () => {
    const hours = { mon: '09:00-18:00' };
    const at = new Date(`${MON}T08:30Z`);
    expect(isWithinWorkingHours(hours, 'Asia/Dubai', at)).toBe(true);
    expect(isWithinWorkingHours(hours, 'Europe/London', at)).toBe(false);
    expect(isWithinWorkingHours(hours, 'No/Where', at)).toBe(false);
  });

  it('follow the change to summer time', () => {
    const hours = { 'mon-fri': '09:00-18:00' };
    expect(isWithinWorkingHours(hours, 'Europe/London', new Date('2026-03-27T08:30Z'))).toBe(false);
    expect(isWithinWorkingHours(hours, 'Europe/London', new Date('2026-03-30T08:30Z'))).toBe(true);
  });

  it('end at their own time in a night whose clocks change', () => {
    const hours = { sat: '22:00-06:00' };
    const inside = (at: string) => isWithinWorkingHours(hours, 'Europe/London', new Date(at));
    expect(['2026-03-29T04:59Z', '2026-03-29T05:00Z'].map(inside)).toEqual([true, false]);
    expect(['2026-10-25T05:59Z', '2026-10-25T06:00Z'].map(inside)).toEqual([true, false]);
  });
});

describe('what is wrong with working hours', () => {
  it.each<[WorkingHours, string[]]>([
    [{ 'mon-fri': '09:00-18:00', sat: '' }, []],
    [{ 'mon-fri': '09:00-18:00', mon: '10:00-12:00' }, []], // routing takes their union
    [{ weekdays: '09:00-18:00' }, ['"weekdays" does not name days such as "mon-fri" or "sat,sun"']],
    [{ monkey: '09:00-18:00' }, ['"monkey" does not name days such as "mon-fri" or "sat,sun"']],
    [{ mon: '9-18' }, ['"9-18" does not give times such as "09:00-18:00"']],
    [{ mon: ['09:00-13:00', '4-8'] }, ['"4-8" does not give times such as "09:00-18:00"']],
    [{ mon: '09:00-25:00' }, ['"09:00-25:00" does not give times such as "09:00-18:00"']],
    [
      { mon: '09:00-12:00-18:00' },
      ['"09:00-12:00-18:00" does not give times such as "09:00-18:00"'],
    ],
    [
      { fun: '9-5', mon: '9-5' },
      [
        '"fun" does not name days such as "mon-fri" or "sat,sun"',
        '"9-5" does not give times such as "09:00-18:00"',
        '"9-5" does not give times such as "09:00-18:00"',
      ],
    ],
  ])('%j: %j', (hours, issues) => {
    expect(workingHoursIssues(hours)).toEqual(issues);
  });
});

describe('hours in one line', () => {
  it.each([
    ['any', {}],
    ['mon-fri 09:00-18:00', { 'mon-fri': '09:00-18:00' }],
    ['mon-fri 09:00-13:00, 15:00-18:00', { 'mon-fri': ['09:00-13:00', '15:00-18:00'] }],
    ['sat,sun 10:00-14:00', { 'sat,sun': '10:00-14:00' }],
    ['fri 20:00-02:00, sun 9:00-12:00', { fri: '20:00-02:00', sun: '9:00-12:00' }],
  ])('%s', (text, hours) => {
    expect(parseHours(text)).toEqual(hours);
    expect(parseHours(formatHours(hours))).toEqual(hours);
  });

  it.each(['', 'mon', '09:00-18:00', 'mon 9-17', 'someday 09:00-18:00', 'mon 09:00-18:00, tue'])(
    'cannot be read: %j',
    (text) => {
      expect(parseHours(text)).toBeNull();
    },
  );
});

describe('hours that overlap', () => {
  it.each([
    ['mon-fri 09:00-18:00, mon 10:00-12:00', ['the hours of monday overlap']],
    ['mon 09:00-13:00, 12:30-18:00', ['the hours of monday overlap']],
    ['sun 20:00-02:00, mon 01:00-09:00', ['the hours of sunday overlap']],
    ['sun 20:00-02:00, mon 02:00-09:00', []],
    ['mon-fri 09:00-13:00, 13:00-18:00', []],
  ])('%s: %j', (text, issues) => {
    expect(overlapIssues(parseHours(text) ?? {})).toEqual(issues);
  });
});
