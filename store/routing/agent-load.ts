/** Parts of statements about agent `g`: what counts against the caps. */

/** When the day began at the moment `at`, which is the agent's own day. */
export const startOfDay = (at: string) =>
  `date_trunc('day', ${at}::timestamptz at time zone g.time_zone) at time zone g.time_zone`;

/** An open lead is one held without a recorded response. */
export const OPEN_LEADS = `(select count(*) from leads l where l.owner_id = g.id and l.agent_responded_at is null)`;
