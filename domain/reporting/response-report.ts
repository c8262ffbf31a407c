export const REPORTED_BY = ['agent', 'source', 'rule', 'hour'] as const;
export type ReportBy = (typeof REPORTED_BY)[number];

const COUNTS = [
  'leads',
  'assigned',
  'responded',
  'clocksEnded',
  'withinClock',
  'moves',
  'waits',
] as const;
type Count = (typeof COUNTS)[number];

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

export function summariseResponses(groups: readonly ResponseGroup[], workingTimeOf: WorkingTimeOf) {
  const timed = groups.map((group) => ({ ...group, times: timesOf(group, workingTimeOf) }));
  const byKey = Map.groupBy(timed, ({ key }) => key);
  const rows = [...byKey].map(([key, ofKey]) => summariseGroups(key, ofKey));
  return { rows, total: summariseGroups('total', timed) };
}

const TIMES = ['assigned', 'assignedWorking', 'response', 'responseWorking'] as const;
type Time = (typeof TIMES)[number];
type TimedGroup = ResponseGroup & { times: Record<Time, Float64Array> };

function timesOf({ agentId, toAssigned, toResponse }: ResponseGroup, workingTimeOf: WorkingTimeOf) {
  const workingTime = workingTimeOf(agentId);
  return {
    assigned: timesOfPairs(toAssigned, elapsedTime),
    assignedWorking: timesOfPairs(toAssigned, workingTime),
    response: timesOfPairs(toResponse, elapsedTime),
    responseWorking: timesOfPairs(toResponse, workingTime),
  };
}

const elapsedTime = (fromMs: number, toMs: number) => toMs - fromMs;

function timesOfPairs(pairs: Float64Array, time: ReturnType<WorkingTimeOf>): Float64Array {
  const times = new Float64Array(pairs.length / 2);
  for (let at = 0; at < times.length; at += 1)
    times[at] = time(pairs[2 * at] ?? 0, pairs[2 * at + 1] ?? 0);
  return times;
}

function summariseGroups(key: string | null, groups: readonly TimedGroup[]) {
  const sum = (name: Count) => groups.reduce((total, group) => total + group[name], 0);
  const counts = Object.fromEntries(COUNTS.map((name) => [name, sum(name)]));
  const times = TIMES.flatMap((name) => {
    const [p50, p90] = percentiles(groups.map((group) => group.times[name]));
    return [[`${name}P50`, p50] as const, [`${name}P90`, p90] as const];
  });
  return {
    key,
    ...(counts as Record<Count, number>),
    ...(Object.fromEntries(times) as Record<`${Time}${'P50' | 'P90'}`, number | null>),
  };
}

/** The 50th and 90th percentile by nearest rank, in seconds: each is a value of the lists. */
function percentiles(lists: readonly Float64Array[]): [number | null, number | null] {
  const times = new Float64Array(lists.reduce((total, list) => total + list.length, 0));
  let filled = 0;
  for (const list of lists) {
    times.set(list, filled);
    filled += list.length;
  }
  times.sort();
  const atShare = (share: number) => {
    const time = times[Math.ceil(share * times.length) - 1];
    return time === undefined ? null : time / 1000;
  };
  return [atShare(0.5), atShare(0.9)];
}
