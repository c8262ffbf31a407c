import type { ReportBy, ReportRow } from '../../domain/assignment/response-report.ts';
import { tableText } from '../table.ts';
import { durationText, figure, timeText } from '../text.ts';

interface ReportView {
  by: ReportBy;
  timeZone: string;
  since: Date;
  rows: readonly ReportRow[];
  total: ReportRow;
}

const NO_KEY = { agent: 'nobody', source: 'no source', rule: 'not decided yet', hour: '' };

export function reportText({ by, timeZone, since, rows, total }: ReportView): string {
  const most = Math.max(1, ...rows.map(({ leads }) => leads));
  const shown = rows.length > 1 ? [...rows, total] : rows;
  const cells = shown.map((row) => [
    row.key ?? NO_KEY[by],
    `${bar(row === total ? 0 : row.leads / most)} ${figure(row.leads)}`,
    shareText(row.assigned, row.leads),
    shareText(row.responded, row.assigned),
    `${bar(row.withinClock / (row.clocksEnded || 1))} ${shareText(row.withinClock, row.clocksEnded)}`,
    timesText(row.assignedP50, row.assignedP90),
    timesText(row.assignedWorkingP50, row.assignedWorkingP90),
    timesText(row.responseP50, row.responseP90),
    timesText(row.responseWorkingP50, row.responseWorkingP90),
    ...[row.moves, row.waits].map(figure),
  ]);
  const zone = by === 'hour' ? `, hours of ${timeZone}` : '';
  const heading = `Leads created since ${timeText(since)}${zone}; times as p50 / p90.`;
  return `${heading}\n${tableText([by, ...HEAD], cells, 'No lead was created.', [by, ...NARROW_HEAD])}`;
}

const HEAD = [
  ...['leads', 'assigned', 'responded', 'within clock'],
  ...['assigned in', 'working', 'response in', 'working', 'moves', 'waits'],
];

const NARROW_HEAD = ['leads', 'responded', 'within clock', 'response in'];

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
