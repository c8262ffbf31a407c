export const trivialQueues = { first: 'trivial-first', second: 'trivial-second' };

export const BEGIN_SIGNAL = 'begin';

/** They do nothing: what remains is the cost of Temporal for three activities on two queues. */
export interface FirstActivities {
  first(): Promise<void>;
  last(): Promise<void>;
}
export interface SecondActivities {
  second(): Promise<void>;
}

/** What the worker process reports over HTTP. */
export interface TrivialProgress {
  /** How many second activities have run. */
  done: number;
  /** When the last of them ran; milliseconds since 1970. */
  lastAtMs: number;
  /** How many last activities have run. */
  ended: number;
}
