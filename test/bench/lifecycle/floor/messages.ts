export const floorQueues = { first: 'floor-first', second: 'floor-second' };

export const BEGIN_SIGNAL = 'begin';

/** What an operator is to see of a lead. */
export interface Placed {
  status: string;
  agent: string;
}

/** The trivial workflow's do nothing: what remains is the cost of Temporal for three activities on two queues. */
export interface FirstActivities {
  first(leadId: string): Promise<Placed | null>;
  last(leadId: string): Promise<void>;
}
export interface SecondActivities {
  second(leadId: string): Promise<void>;
}

/** What the worker process reports over HTTP. */
export interface FloorProgress {
  /** How many second activities have run. */
  done: number;
  /** When the last of them ran; milliseconds since 1970. */
  lastAtMs: number;
  /** How many last activities have run. */
  ended: number;
}
