import { Option } from 'commander';
import {
  readResponses,
  REPORTED_BY,
  type ReportBy,
  type ReportRow,
} from '../store/reporting/read-responses.ts';
import { since, type Since } from './arguments.ts';
import type { CommandGroup, Operator } from './operator.ts';
import { tableOf } from './table.ts';
import { durationText, timeText } from './text.ts';

export const reportCommands: CommandGroup = (program, run) => {
  program
    .command('report')
    .description('Report on response times')
    .command('response')
    .description('Report how fast leads are assigned and responded to')
    .addOption(
      new Option('--since <age>', 'Only leads created since this age or time, e.g. 30d or 12h')
        .argParser(since)
        .default(since('30d'), '30d'),
    )
    .addOption(new Option('--by <column>', 'Group by').choices(REPORTED_BY).default('agent'))
    .addHelpText('after', SEMANTICS)
    .action(
      run(async (operator, options) =>
        operator.show(await buildReport(operator, options), reportText),
      ),
    );
};

const SEMANTICS = `
By source and by hour (of creation), each lead counts once. By agent and by rule, it counts once per assignment.
  within clock  share of the response deadlines that were met
  assigned in   time from creation to assignment, p50 / p90; response in: from assignment to response
  moves         assignments that ended because of a missed deadline or an operator
  waits         leads that were queued for an agent; agent enquiries are omitted throughout`;

async function buildReport(operator: Operator, { since, by }: { since: Since; by: ReportBy }) {
  const { companyTimeZone: timeZone } = operator.config;
  const until = operator.now();
  const period = { by, timeZone, since: since(until, timeZone), until };
  const found = await readResponses(await operator.database(), period);
  return { ...period, rows: found.slice(0, -1), total: found.at(-1) as ReportRow };
}

type Report = Awaited<ReturnType<typeof buildReport>>;

function reportText({ by, timeZone, since, rows, total }: Report): string {
  const table = tableOf<ReportRow>(
    {
      [by === 'hour' ? `hour (${timeZone})` : by]: 'key',
      leads: 'leads',
      assigned: (row) => percentText(row.assigned, row.leads),
      responded: (row) => percentText(row.responded, row.assigned),
      'within clock': (row) => percentText(row.withinClock, row.clocksEnded),
      'assigned in': (row) => timesText(row.assignedP50, row.assignedP90),
      'response in': (row) => timesText(row.responseP50, row.responseP90),
      moves: 'moves',
      waits: 'waits',
    },
    'No leads created',
  );
  const heading = `Leads created since ${timeText(since)}; times as p50 / p90`;
  return `${heading}\n${table(rows.length > 1 ? [...rows, total] : rows)}`;
}

function percentText(amount: number, of: number): string {
  return of === 0 ? '' : `${((amount / of) * 100).toFixed(0)}%`;
}

function timesText(p50: number | null, p90: number | null): string {
  return p50 === null || p90 === null ? '' : `${durationText(p50)} / ${durationText(p90)}`;
}
