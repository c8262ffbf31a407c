export const REPORTED_BY = ['agent', 'source', 'rule', 'hour'] as const;
export type ReportBy = (typeof REPORTED_BY)[number];

const COUNTS = 'leads assigned responded clocksEnded withinClock moves waits'.split(' ');
type Count = 'leads' | 'assigned' | 'responded' | 'clocksEnded' | 'withinClock' | 'moves' | 'waits';

/** Pairs of instants in ms, one after the other: created and assigned; assigned and responded. */
type Pairs = Record<'toAssigned' | 'toResponse', Float64Array>;

/** What one agent, or nobody, has of one row of the report. */
export interface ResponseGroup extends Record<Count, number>, Pairs {
  key: string | null;
  agentId: string | null;
}

/** Milliseconds that an agent works between two instants. */
export type WorkingTimeOf = (agentId: string | null) => (fromMs: number, toMs: number) => number;

/** Times are in seconds; null where nothing was measured. */
export type ReportRow = ReturnType<typeof summariseGroups>;

export function summariseResponses(
  groups: readonly ResponseGroup[],
  workingTimeOf: WorkingTimeOf,
): { rows: ReportRow[]; total: ReportRow } {
  const byKey = Map.groupBy(groups, ({ key }) => key);
  const rows = [...byKey].map(([key, ofKey]) => summariseGroups(key, ofKey, workingTimeOf));
  return { rows, total: summariseGroups('total', groups, workingTimeOf) };
}

function summariseGroups(
  key: string | null,
  groups: readonly ResponseGroup[],
  workingTimeOf: WorkingTimeOf,
) {
  const sum = (name: string) => groups.reduce((total, group) => total + group[name as Count], 0);
  const counts = Object.fromEntries(COUNTS.map((name) => [name, sum(name)]));
  const [assignedP50, assignedP90] = percentiles(groups, 'toAssigned', () => elapsedTime);
  const [assignedWorkingP50, assignedWorkingP90] = percentiles(groups, 'toAssigned', workingTimeOf);
  const [responseP50, responseP90] = percentiles(groups, 'toResponse', () => elapsedTime);
  const [responseWorkingP50, responseWorkingP90] = percentiles(groups, 'toResponse', workingTimeOf);
  return {
    key,
    ...(counts as Record<Count, number>),
    ...{ assignedP50, assignedP90, assignedWorkingP50, assignedWorkingP90 },
    ...{ responseP50, responseP90, responseWorkingP50, responseWorkingP90 },
  };
}

const elapsedTime = (fromMs: number, toMs: number) => toMs - fromMs;

/** By the nearest rank: each is a value of the list, in seconds. */
function percentiles(
  groups: readonly ResponseGroup[],
  pairs: keyof Pairs,
  timeOf: WorkingTimeOf,
): [number | null, number | null] {
  const length = groups.reduce((total, group) => total + group[pairs].length / 2, 0);
  const values = new Float64Array(length);
  let size = 0;
  for (const { agentId, [pairs]: times } of groups) {
    const time = timeOf(agentId);
    for (let at = 1; at < times.length; at += 2)
      values[size++] = time(times[at - 1] ?? 0, times[at] ?? 0);
  }
  values.sort();
  const atRank = (rank: number) => {
    const value = values[Math.ceil(rank) - 1];
    return value === undefined ? null : value / 1000;
  };
  return [atRank(0.5 * length), atRank(0.9 * length)];
}
