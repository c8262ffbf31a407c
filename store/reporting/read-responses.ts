import { offsetSpans } from '../../domain/routing/local-time.ts';
import type { ReportBy, ResponseGroup } from '../../domain/reporting/response-report.ts';
import type { Database } from '../db/database.ts';

export interface ReportPeriod {
  by: ReportBy;
  since: Date;
  until: Date;
  /** The time zone of the hours. */
  timeZone: string;
}

interface Grouping {
  column: string;
  /** The label of the value `each.key` of the column. */
  label: string;
  /** Which rows of `lead_assignments` count as a lead, and which as one that an agent was given. */
  counted: string;
  given: string;
}

const EACH_LEAD = { counted: 'is_last', given: 'is_first' };
const EACH_ASSIGNMENT = { counted: 'true', given: `status = 'assigned'` };

const AGENT = '(select email from agents where id = each.key)';
const SOURCE = '(select name from list_entries where id = each.key)';
const RULE = `coalesce(rule_name, 'no rule: ' || replace(decided_by, '_', ' '))`;
const OFFSET = `(:offsets::int[])[width_bucket(created_at, :offsetsFrom::timestamptz[])]`;
const HOUR = `date_part('hour', created_at at time zone 'UTC' + make_interval(secs => ${OFFSET}))`;
const CLOCK = `lpad(each.key::text, 2, '0') || ':00'`;
const HELD = 'agent_id is not null or is_last';

const GROUPINGS: Record<ReportBy, Grouping> = {
  agent: { ...EACH_ASSIGNMENT, counted: HELD, column: 'agent_id', label: AGENT },
  source: { ...EACH_LEAD, column: 'source_id', label: SOURCE },
  rule: { ...EACH_ASSIGNMENT, column: RULE, label: 'key' },
  hour: { ...EACH_LEAD, column: HOUR, label: CLOCK },
};

type PackedGroup = Omit<ResponseGroup, 'toAssigned' | 'toResponse'> &
  Record<'toAssigned' | 'toResponse', Buffer | null>;

/**
 * Counts and times by group and agent. The times of a group come as one byte string, since a row for each
 * lead would cost more than all the rest.
 */
export async function readResponses(
  database: Database,
  { by, since, until, timeZone }: ReportPeriod,
): Promise<ResponseGroup[]> {
  const text = responsesSql(GROUPINGS[by]);
  // Node's table of zones decides, as for all days and hours.
  const spans = [...offsetSpans(timeZone, since.getTime(), until.getTime() + 1)];
  const offsetsFrom = spans.map(({ startMs }) => new Date(startMs));
  const offsets = spans.map(({ offsetMs }) => offsetMs / 1000);
  const groups = await database.transaction(
    async (sql) => {
      // One scan with two sorts; compiling the statement takes longer than running it.
      await sql.query(`set local work_mem = '128MB'`);
      await sql.query(`set local jit = off`);
      return sql.query<PackedGroup>(text, { since, until, offsets, offsetsFrom });
    },
    { readOnly: true },
  );
  return groups.map(({ toAssigned, toResponse, ...group }) => {
    return { ...group, toAssigned: unpack(toAssigned), toResponse: unpack(toResponse) };
  });
}

const packed = (from: string, to: string, where: string) =>
  `string_agg(timestamptz_send(${from}) || timestamptz_send(${to}), '') filter (where ${where})`;

/** The view `lead_assignments` leaves agent enquiries out: they are no demand. */
const responsesSql = ({ column, label, counted, given }: Grouping) => `
select ${label} as key, agent_id as "agentId", leads, assigned, responded, "clocksEnded", "withinClock", moves, waits,
  "toAssigned", "toResponse"
from (
  select ${column} as key, agent_id,
    count(*) filter (where ${counted}) as leads,
    count(*) filter (where ${given}) as assigned,
    count(responded_at) as responded,
    count(due_at) filter (where responded_at is not null or due_at <= coalesce(ended_at, :until)) as "clocksEnded",
    count(*) filter (where responded_at <= due_at) as "withinClock",
    count(ended_at) as moves,
    count(*) filter (where has_waited and (${counted})) as waits,
    ${packed('created_at', 'decided_at', given)} as "toAssigned",
    ${packed('decided_at', 'responded_at', 'responded_at is not null')} as "toResponse"
  from lead_assignments where created_at >= :since and created_at <= :until
  group by 1, 2) each
where leads > 0 or assigned > 0 or responded > 0 or moves > 0 or "clocksEnded" > 0`;

/** Postgres sends a time as microseconds since the year 2000. */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);
const HIGH_WORD = 2 ** 32;

function unpack(bytes: Buffer | null): Float64Array {
  const times = new Float64Array((bytes?.length ?? 0) / 8);
  if (!bytes) return times;
  for (let index = 0; index < times.length; index += 1) {
    const at = index * 8;
    const microseconds = bytes.readInt32BE(at) * HIGH_WORD + bytes.readUInt32BE(at + 4);
    times[index] = POSTGRES_EPOCH_MS + Math.round(microseconds / 1000);
  }
  return times;
}
