export const REPORTED_BY = ['agent', 'source', 'rule', 'hour'] as const;
export type ReportBy = (typeof REPORTED_BY)[number];

const COUNTS = 'leads assigned responded clocksEnded withinClock moves waits'.split(' ');
type Count = 'leads' | 'assigned' | 'responded' | 'clocksEnded' | 'withinClock' | 'moves' | 'waits';

/** Pairs of instants in ms, flattened: created and assigned; assigned and responded. */
type Pairs = Record<'toAssigned' | 'toResponse', Float64Array>;

/** The part of one row of the report that belongs to one agent, or to nobody. */
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
  const timed = groups.map((group) => ({ ...group, times: timesOf(group, workingTimeOf) }));
  const byKey = Map.groupBy(timed, ({ key }) => key);
  const rows = [...byKey].map(([key, ofKey]) => summariseGroups(key, ofKey));
  return { rows, total: summariseGroups('total', timed) };
}

type Times = ReturnType<typeof timesOf>;
type TimedGroup = ResponseGroup & { times: Times };

/** Sorted, once for the row and the total that they are part of. */
function timesOf({ agentId, toAssigned, toResponse }: ResponseGroup, workingTimeOf: WorkingTimeOf) {
  const workingTime = workingTimeOf(agentId);
  return {
    assigned: sortedTimes(toAssigned, elapsedTime),
    assignedWorking: sortedTimes(toAssigned, workingTime),
    response: sortedTimes(toResponse, elapsedTime),
    responseWorking: sortedTimes(toResponse, workingTime),
  };
}

const elapsedTime = (fromMs: number, toMs: number) => toMs - fromMs;

function sortedTimes(pairs: Float64Array, time: ReturnType<WorkingTimeOf>): Float64Array {
  const times = new Float64Array(pairs.length / 2);
  for (let at = 0; at < times.length; at += 1)
    times[at] = time(pairs[2 * at] ?? 0, pairs[2 * at + 1] ?? 0);
  return times.sort();
}

function summariseGroups(key: string | null, groups: readonly TimedGroup[]) {
  const sum = (name: string) => groups.reduce((total, group) => total + group[name as Count], 0);
  const counts = Object.fromEntries(COUNTS.map((name) => [name, sum(name)]));
  const percentilesOf = (name: keyof Times) => percentiles(groups.map(({ times }) => times[name]));
  const [assignedP50, assignedP90] = percentilesOf('assigned');
  const [assignedWorkingP50, assignedWorkingP90] = percentilesOf('assignedWorking');
  const [responseP50, responseP90] = percentilesOf('response');
  const [responseWorkingP50, responseWorkingP90] = percentilesOf('responseWorking');
  return {
    key,
    ...(counts as Record<Count, number>),
    assignedP50,
    assignedP90,
    assignedWorkingP50,
    assignedWorkingP90,
    responseP50,
    responseP90,
    responseWorkingP50,
    responseWorkingP90,
  };
}

/** The 50th and 90th percentile by nearest rank, in seconds: each is a value of the sorted lists. */
function percentiles(lists: readonly Float64Array[]): [number | null, number | null] {
  const length = lists.reduce((total, list) => total + list.length, 0);
  if (length === 0) return [null, null];
  return [atRank(lists, Math.ceil(0.5 * length)), atRank(lists, Math.ceil(0.9 * length))];
}

/** Returns the smallest whole number of ms that at least `rank` values do not exceed, in seconds. */
function atRank(lists: readonly Float64Array[], rank: number): number {
  let [low, high] = [
    Math.min(...lists.map((list) => list[0] ?? Infinity)),
    Math.max(...lists.map((list) => list.at(-1) ?? -Infinity)),
  ];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const reached = lists.reduce((total, list) => total + countUpTo(list, middle), 0);
    if (reached >= rank) high = middle;
    else low = middle + 1;
  }
  return low / 1000;
}

/** Counts the values of a sorted list that do not exceed `value`. */
function countUpTo(list: Float64Array, value: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
