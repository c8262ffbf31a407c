/** Long enough for a backlog to build up. The rounds of all sides alternate; the medians count. */
export const BURST = { rounds: 3, leads: 1000 };

/** At which the timers of a burst expire one after the other. */
export const EXPECTED_PER_SECOND = 25;

/** Before each burst, and before the steady pace. */
export const WARM_UP = { leads: 60, seconds: 3 };

/**
 * How long a run waits for its timer, the merge window of a lead, before its last activity. Those of a burst
 * outlast it, as a window of a day would: the drained leads per second are of routing and webhooks alone.
 */
export const OPEN_FOR_MS = { burst: 75_000, alone: 5_000 };

/** How many signals are under way at any moment. */
export const START_WIDTH = 16;

export const STEADY = { perSecond: 20, seconds: 60 };

/** Two clients at a pace that leaves the machine room: only the answers of the other one differ. */
export const BESIDE = { perSecond: 15, otherPerSecond: 3, seconds: STEADY.seconds };

/** So long a backlog may take to drain after the last lead was sent. */
export const DRAIN_SECONDS = 5;

/** Far longer than a burst takes: without a limit a lost lead would keep the bench waiting for ever. */
export const BURST_LIMIT_MS = 600_000;
