import fc from 'fast-check';
import { isWorkingAt } from '../../../domain/routing/calendar.ts';
import {
  formatHours,
  overlapIssues,
  doubtfulHours,
  parseHours,
  windowsByDay,
  workingHoursIssues,
  type WorkingHours,
} from '../../../domain/routing/working-hours.ts';

const isWithinWorkingHours = (workingHours: WorkingHours, timeZone: string, at: Date) =>
  isWorkingAt({ workingHours, timeZone, absences: [], holidays: [] }, at);

const SUN_TO_THU = { 'sun-thu': '09:00-18:00' };
const LISTED_DAYS = { 'mon,wed-thu': '09:00-18:00' };
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
    ['days in capitals and in full', { 'Monday-FRIDAY': '9:00-18:00' }, `${TUE}T12:00+04:00`, true],
    ['a range over the end of the week', SUN_TO_THU, `${SUN}T12:00+04:00`, true],
    ['beyond a range over the end of the week', SUN_TO_THU, `${FRI}T12:00+04:00`, false],
    ['a list of days', LISTED_DAYS, `${MON}T12:00+04:00`, true],
    ['a day between two listed ones', LISTED_DAYS, `${TUE}T12:00+04:00`, false],
    ['a break at noon', { mon: '09:00-13:00,15:00-18:00' }, `${MON}T14:00+04:00`, false],
    ['between listed spans', { mon: ['09:00-13:00', '15:00-18:00'] }, `${MON}T14:00+04:00`, false],
    ['an empty list', { mon: [] }, `${MON}T12:00+04:00`, false],
    ['the next morning of that shift', { mon: '22:00-06:00' }, `${TUE}T05:59+04:00`, true],
    ['the morning before that shift', { mon: '22:00-06:00' }, `${MON}T05:00+04:00`, false],
    ['Sunday night’s shift on Monday morning', { sun: '22:00-06:00' }, `${MON}T05:00+04:00`, true],
    ['the midnight that ends a day', { mon: '18:00-24:00' }, `${TUE}T00:00+04:00`, false],
    ['once round the clock', { mon: '09:00-09:00' }, `${TUE}T08:59+04:00`, true],
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
});

describe('what is wrong with working hours', () => {
  it.each<[WorkingHours, string[]]>([
    [{ 'mon-fri': '09:00-18:00', sat: '' }, []],
    [{ 'mon-fri': '09:00-18:00', mon: '10:00-12:00' }, []], // routing takes their union
    [{ weekdays: '09:00-18:00' }, ['"weekdays" does not name days such as "mon-fri" or "sat,sun"']],
    [{ mon: '9-18' }, ['"9-18" does not give times such as "09:00-18:00"']],
    [{ mon: ['09:00-13:00', '4-8'] }, ['"4-8" does not give times such as "09:00-18:00"']],
    [{ mon: '09:00-25:00' }, ['"09:00-25:00" does not give times such as "09:00-18:00"']],
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

const HOURS = { 'mon-fri': '09:00-18:00', 'sat,sun': '10:00-14:00' };

/** A clause in one of many spellings with what it says, or one that cannot be read. */
const clause = fc
  .record({
    first: fc.nat(6),
    last: fc.nat(6),
    isList: fc.boolean(),
    start: fc.nat(23),
    end: fc.nat(23),
    dash: fc.constantFrom('-', '–', ' — ', '−', ' to ', ' - '),
    and: fc.constantFrom(',', ', ', ' & ', ' and ', ';'),
    colon: fc.constantFrom(' ', ': ', ':', ' : ', '\u00a0', '\t'),
    next: fc.constantFrom(',', ', ', '; ', '\n', ' & '),
    letters: fc.constantFrom(3, 4, 9),
    isUpper: fc.boolean(),
    junk: fc.option(fc.constantFrom('noon', 'by phone', '9am-5pm', '9-17', 'mon/tue'), {
      freq: 8,
    }),
  })
  .map(({ first, last, isList, start, end, dash, and, colon, next, letters, isUpper, junk }) => {
    const names = [first, last].map((day) => DAYS[day]?.slice(0, letters) ?? '');
    const text = `${names.join(isList ? and : dash)}${colon}${start}:00${dash}${end}:30`;
    const days = [first, last].map((day) => DAYS[day]);
    return {
      days: days.join(isList ? ',' : '-'),
      span: `${start}:00-${end}:30`,
      text: (isUpper ? text.toUpperCase() : text) + next + (junk === null ? '' : junk + next),
      junk,
    };
  });

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** Keys of their own, since two clauses may name the same days. */
const plain = ({ days, span }: { days: string; span: string }, at: number) => ({
  [' '.repeat(at) + days]: span,
});

describe('hours in one line', () => {
  it.each([
    ['any', {}],
    ['mon-fri 09:00-18:00', { 'mon-fri': '09:00-18:00' }],
    ['mon-fri 09:00-13:00, 15:00-18:00', { 'mon-fri': ['09:00-13:00', '15:00-18:00'] }],
    ['sat,sun 10:00-14:00', { 'sat,sun': '10:00-14:00' }],
    ['fri 20:00-02:00, sun 9:00-12:00', { fri: '20:00-02:00', sun: '9:00-12:00' }],
    ['mon–thu 09:00-18:00, fri 09:00-12:00', { 'mon-thu': '09:00-18:00', fri: '09:00-12:00' }],
    ['mon-thu 09:00-18:00, fri: 9:00-12:00', { 'mon-thu': '09:00-18:00', fri: '9:00-12:00' }],
    ['sat & Sun 10:00-14:00', { 'sat,sun': '10:00-14:00' }],
    ['Mon to Thurs: 09:00 to 18:00', { 'mon-thurs': '09:00-18:00' }],
    ['mon 09:00—13:00; mon 15:00−18:00', { mon: ['09:00-13:00', '15:00-18:00'] }],
    ['mon\u00a0- fri ٠٩:٠٠-١٨:٠٠\nsat and sun 10:00-14:00,', HOURS],
  ])('%s', (text, hours) => {
    expect(parseHours(text)).toEqual(hours);
    expect(workingHoursIssues(hours)).toEqual([]);
    expect(parseHours(formatHours(hours))).toEqual(hours);
  });

  it.each([
    ['', ''],
    ['mon', 'mon'],
    ['09:00-18:00', '09:00-18:00'],
    ['mon 9-17', '9-17'],
    ['someday 09:00-18:00', 'someday'],
    ['weekdays 09:00-18:00', 'weekdays'],
    ['mon 09:00-18:00, tue', 'tue'],
    ['mon fri 09:00-18:00', 'mon fri'],
    ['mon 09:00-18:00, sat (by phone) 10:00-14:00', 'sat (by phone)'],
    ['mon 09:00-18:00 tue 09:00-18:00', '09:00-18:00 tue 09:00-18:00'],
  ])('is refused with the clause: %j', (text, clause) => {
    expect(workingHoursIssues(parseHours(text))[0]).toMatch(`"${clause}" does not `);
  });

  it('is read completely or refused, in 2,000 spellings', () => {
    fc.assert(
      fc.property(fc.array(clause, { minLength: 1, maxLength: 4 }), (clauses) => {
        const hours = parseHours(clauses.map(({ text }) => text).join(''));
        const issues = workingHoursIssues(hours).join();
        const unread = clauses.flatMap(({ junk }) => junk ?? []);
        for (const junk of unread) expect(issues).toContain(junk);
        if (unread.length > 0) return;
        expect(issues).toBe('');
        expect(windowsByDay(hours)).toEqual(windowsByDay(Object.assign({}, ...clauses.map(plain))));
        expect(parseHours(formatHours(hours))).toEqual(hours);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('hours that may be a mistake', () => {
  it.each([
    ['mon 20:00-02:00', [], ['20:00-02:00']],
    ['mon-tue 20:00-02:00, fri 09:00-12:00', ['20:00-02:00'], ['20:00-02:00']],
    ['mon 20:00-02:00, tue 20:00-02:00', ['20:00-02:00'], ['20:00-02:00']],
    ['mon 09:00-09:00', ['09:00-09:00'], ['09:00-09:00']],
    ['mon-sun 00:00-24:00', [], []],
    ['mon 20:00-02:00, tue 01:00-09:00', ['the'], ['20:00-02:00', 'the']], // hours of monday overlap
  ])('%s', (text, onSeveralDays, onAny) => {
    const spans = (days: number) =>
      doubtfulHours(parseHours(text), days).map((note) => note.split(' ')[0]);
    expect([spans(2), spans(1)]).toEqual([onSeveralDays, onAny]);
    expect(doubtfulHours({ mon: '' }, 1)).toEqual([]);
  });
});

describe('hours that overlap', () => {
  it.each([
    ['mon-fri 09:00-18:00, mon 10:00-12:00', ['the hours of monday overlap']],
    ['mon 09:00-13:00, 12:30-18:00', ['the hours of monday overlap']],
    ['sun 20:00-02:00, mon 01:00-09:00', ['the hours of sunday overlap']],
    ['sun 20:00-02:00, mon 02:00-09:00', []],
    ['mon-fri 09:00-13:00, 13:00-18:00', []],
  ])('%s: %j', (text, issues) => {
    expect(overlapIssues(parseHours(text))).toEqual(issues);
  });
});
