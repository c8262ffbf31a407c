import { Option } from 'commander';
import { stringify } from 'csv-stringify/sync';
import {
  REPORTED_BY,
  summariseResponses,
  type ReportBy,
  type ReportRow,
} from '../domain/reporting/response-report.ts';
import { createWorkingTime } from '../domain/routing/calendar.ts';
import type { Database } from '../store/db/database.ts';
import { readResponses, type ReportPeriod } from '../store/reporting/read-responses.ts';
import { readCalendars } from '../store/routing/agents.ts';
import { DECIDED_BY } from './views/lead.ts';
import { since, timeZone, type Since } from './arguments.ts';
import type { CommandGroup, Operator } from './operator.ts';
import { tableOf } from './table.ts';
import { durationText, figure, timeText } from './text.ts';

const AGE = '30d';

export const reportCommands: CommandGroup = (program, run) => {
  program
    .command('report')
    .description('How it goes, in figures.')
    .command('response')
    .description('How fast leads get an agent and a response.')
    .addOption(
      new Option('--since <age>', 'leads created since, such as 30d, 12h or 90m')
        .argParser(since)
        .default(since(AGE), AGE),
    )
    .addOption(new Option('--by <what>', 'a row for each').choices(REPORTED_BY).default('agent'))
    .option('--time-zone <zone>', 'of the hours; by default COMPANY_TIME_ZONE', timeZone)
    .option('--csv', 'print CSV, times in seconds')
    .addHelpText('after', SEMANTICS)
    .action(run(reportResponse));
};

const SEMANTICS = `
By source and by hour, of creation, each lead counts once. By agent and by rule it counts once for each time
that the agent was given it or the rule decided: a lead that moved counts with each agent who had it.
  leads         created since; agent enquiries do not count
  assigned      that an agent was given
  responded     while that agent had the lead; where several responses were recorded, the last
  within clock  of the response clocks that ended, by a response or because it was due, the share with a
                response by the due time; an assignment without a clock does not count
  assigned in   from created to assigned: half were faster (p50), nine of ten (p90); by source and hour to
                the first agent
  response in   from the assignment to the response, of the agent who responded; a response that an
                integrator reports is at the time of its call
  …, working    the same, counting only that agent's working hours, without absences and holidays
  moves         how often a lead was taken from its agent: by an expired clock or an operator
  waits         leads that at some time waited for an agent`;

interface ResponseOptions {
  since: Since;
  by: ReportBy;
  timeZone?: string;
  csv?: true;
}

async function reportResponse(
  operator: Operator,
  { by, since, timeZone = operator.config.companyTimeZone, csv }: ResponseOptions,
) {
  const until = operator.now();
  const period = { by, timeZone, since: since(until, timeZone), until };
  const { rows, total } = await summarise(await operator.database(), period);
  const view = { ...period, rows: rows.toSorted(inOrder(by)), total };
  operator.show(view, csv ? csvText : reportText);
}

async function summarise(database: Database, period: ReportPeriod) {
  const groups = await readResponses(database, period);
  const calendars = await readCalendars(database, period.since);
  const known = new Map<string | null, ReturnType<typeof createWorkingTime>>();
  return summariseResponses(groups, (agentId) => {
    const calendar = calendars.get(agentId ?? '');
    if (!calendar) return () => 0; // nobody has no times
    const time = known.get(agentId) ?? createWorkingTime(calendar, period.since, period.until);
    known.set(agentId, time);
    return time;
  });
}

/** Sorts hours as on the clock, everything else by the number of leads. */
function inOrder(by: ReportBy) {
  return (one: ReportRow, other: ReportRow) =>
    (by === 'hour' ? 0 : other.leads - one.leads) || (one.key ?? '').localeCompare(other.key ?? '');
}

/** The names of the columns stand there without any row too. */
function csvText({ rows, total }: Pick<ReportView, 'rows' | 'total'>): string {
  const columns = Object.keys(total);
  return stringify([...rows], { header: true, columns, escape_formulas: true }).trimEnd();
}

interface ReportView {
  by: ReportBy;
  timeZone: string;
  since: Date;
  rows: readonly ReportRow[];
  total: ReportRow;
}

/** Who decided where no rule did, in the words of a lead's page; the key is such as `no rule: assigned by`. */
function rulelessText(key: string): string {
  const decidedBy = key.replace(NO_RULE, '').replace(' ', '_');
  if (decidedBy === 'rules') return 'no rule matched';
  return (DECIDED_BY as Readonly<Record<string, string>>)[decidedBy] ?? key;
}

const NO_RULE = /^no rule: /;
const TOTAL = { agent: 'all agents', source: 'all sources', rule: 'all rules', hour: 'all hours' };
const NO_KEY = { agent: 'nobody', source: 'no source', rule: 'not decided yet', hour: '' };

function keyText(key: string | null, by: ReportBy): string {
  if (key === null) return NO_KEY[by];
  return by === 'rule' && NO_RULE.test(key) ? rulelessText(key) : key;
}

export function reportText({ by, timeZone, since, rows, total }: ReportView): string {
  const most = Math.max(1, ...rows.map(({ leads }) => leads));
  const table = tableOf<ReportRow>(
    {
      [by]: (row) => (row === total ? TOTAL[by] : keyText(row.key, by)),
      leads: (row) => `${bar(row === total ? 0 : row.leads / most)} ${figure(row.leads)}`,
      assigned: (row) => shareText(row.assigned, row.leads),
      responded: (row) => shareText(row.responded, row.assigned),
      'within clock': ({ withinClock, clocksEnded }) =>
        `${bar(withinClock / (clocksEnded || 1))} ${shareText(withinClock, clocksEnded)}`,
      'assigned in': (row) => timesText(row.assignedP50, row.assignedP90),
      'assigned in,\nworking': (row) => timesText(row.assignedWorkingP50, row.assignedWorkingP90),
      'response in': (row) => timesText(row.responseP50, row.responseP90),
      'response in,\nworking': (row) => timesText(row.responseWorkingP50, row.responseWorkingP90),
      moves: ({ moves }) => figure(moves),
      waits: ({ waits }) => figure(waits),
    },
    {
      none: 'No lead was created.',
      narrow: [by, 'leads', 'responded', 'within clock', 'response in'],
    },
  );
  const zone = by === 'hour' ? `, hours of ${timeZone}` : '';
  const heading = `Leads created since ${timeText(since)}${zone}; times as p50 / p90.`;
  return `${heading}\n${table(rows.length > 1 ? [...rows, total] : rows)}`;
}

const WIDTH = 6;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Always as wide, so that figures behind bars are aligned. */
function bar(share: number): string {
  const eighths = Math.round(share * WIDTH * 8);
  return `${'█'.repeat(eighths >> 3)}${EIGHTHS[eighths & 7]}`.padEnd(WIDTH);
}

function shareText(amount: number, of: number): string {
  return of === 0 ? '' : `${((amount / of) * 100).toFixed(0)} %`;
}

function timesText(p50: number | null, p90: number | null): string {
  return p50 === null || p90 === null ? '' : `${durationText(p50)} / ${durationText(p90)}`;
}
