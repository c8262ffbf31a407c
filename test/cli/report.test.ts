import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { reportCommands } from '../../cli/report.ts';
import { localTime } from '../../domain/routing/local-time.ts';
import { snakeCase } from '../../store/db/rows.ts';
import { startTestApi } from '../support/api.ts';
import { asAdmin } from '../support/database.ts';
import { activateRules, makeAgent, makeSource } from '../support/routing.ts';
import { leadctlFor } from './leadctl.ts';
import { leadActivities } from '../support/worker.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SINCE = '2025-10-10T00:00:00Z';
const SINCE_MS = Date.parse(SINCE);
const ZONE = 'Europe/Berlin'; // its clock changes on 26 October

interface PastAssignment {
  round: number;
  move: number;
  status: 'assigned' | 'pool' | 'unassigned';
  agent_id: string | null;
  rule_name: string | null;
  decided_by: string;
  atMs: number;
  dueMs: number | null;
  /** As rows of before the due time was written: null, or the terms alone. */
  minutes: number | null;
}

interface PastLead {
  id: string;
  source_id: string | null;
  createdMs: number;
  respondedMs: number | null;
  is_agent_enquiry: boolean;
  is_personal: boolean;
  waits: number;
  assignments: PastAssignment[];
}

/** A sequence that is the same in each run. */
let seed = 17;
function random(): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
}
const chance = (share: number) => random() < share;
const upTo = (limit: number) => Math.floor(random() * limit);
const pick = <T>(values: readonly T[]): T => values[upTo(values.length)] as T;

const DECIDERS = ['rules', 'rules', 'rules', 'follow_up', 'claim', 'operator'];

function randomAssignments(createdMs: number, isPersonal: boolean): PastAssignment[] {
  const assignments: PastAssignment[] = [];
  let [round, move, atMs] = [1, 0, createdMs + upTo(5) * upTo(3 * 60) * MINUTE_MS + upTo(9000)];
  const length = chance(0.7) ? 1 : upTo(5);
  while (assignments.length < length) {
    const status = chance(0.8) ? 'assigned' : pick(['pool', 'unassigned'] as const);
    const decided_by = pick(DECIDERS);
    const minutes = chance(0.6) ? pick([0, 15, 240]) : null;
    const isClocked = status === 'assigned' && !isPersonal;
    const written = chance(0.8) ? atMs + (1 + upTo(600)) * MINUTE_MS : null;
    const ofTerms = minutes ? atMs + minutes * MINUTE_MS : null;
    assignments.push({
      round,
      move,
      status,
      decided_by,
      atMs,
      minutes,
      agent_id: status === 'assigned' ? pick(agents).id : null,
      rule_name: decided_by === 'rules' || decided_by === 'follow_up' ? pick(['A', 'B']) : null,
      dueMs: isClocked ? (minutes === null ? written : ofTerms) : null,
    });
    if (chance(0.3)) [round, move] = [round + 1 + upTo(2), 0];
    else move += 1;
    atMs += 1 + upTo(24 * 60) * MINUTE_MS;
  }
  return assignments;
}

function randomLead(): PastLead {
  const createdMs = SINCE_MS - DAY_MS + upTo(31 * DAY_MS);
  const is_personal = chance(0.1);
  const assignments = randomAssignments(createdMs, is_personal);
  const { atMs } = pick(assignments) ?? { atMs: createdMs };
  return {
    id: randomUUID(),
    source_id: chance(0.1) ? null : pick(sources).id,
    createdMs,
    is_personal,
    assignments,
    respondedMs: chance(0.7) ? atMs + upTo(chance(0.5) ? 30 * MINUTE_MS : 3 * DAY_MS) : null,
    is_agent_enquiry: chance(0.05),
    waits: chance(0.1) ? 1 + upTo(2) : 0,
  };
}

const agents: { id: string; email: string }[] = [];
const sources: { id: string; name: string }[] = [];

const timeOf = (ms: number | null) => ms && new Date(ms).toISOString();

const api = await startTestApi();
const leadctl = leadctlFor([reportCommands], {
  DATABASE_URL: api.config.database.url,
  COMPANY_TIME_ZONE: ZONE,
});
for (let made = 0; made < 3; made += 1) agents.push(await makeAgent(api.database));
for (const name of ['Website', '=Portal'])
  sources.push({ id: await makeSource(api.database, name), name });
const leads = Array.from({ length: 4000 }, randomLead);
await writePast();
afterAll(() => api.stop());

/** Rows as they stand in the database, whose other tables the report does not read. */
async function writePast() {
  const leadRows = leads.map(({ createdMs, respondedMs, assignments: _, waits: __, ...lead }) => ({
    ...lead,
    contact_id: lead.id,
    client_id: lead.id,
    funnel_id: lead.id,
    created_at: timeOf(createdMs),
    updated_at: timeOf(createdMs),
    agent_responded_at: timeOf(respondedMs),
    merge_window_ends_at: timeOf(createdMs),
    assignment_status: 'pending',
  }));
  const assignmentRows = leads.flatMap(({ id, assignments }) =>
    assignments.map(({ atMs, dueMs, minutes, ...assignment }) => ({
      ...assignment,
      id: randomUUID(),
      lead_id: id,
      reason: 'random',
      decided_at: timeOf(atMs),
      follow_up: minutes === null ? null : { minutes },
      follow_up_due_at: minutes === null ? timeOf(dueMs) : '-infinity',
    })),
  );
  const waitRows = leads.flatMap(({ id, waits }) =>
    Array.from({ length: waits }, (_, number) => ({
      lead_id: id,
      round: 1,
      rule_name: `Rule ${number}`,
      ruleset_version: 1,
      reason: 'none',
      since: SINCE,
      decided_at: SINCE,
      due_at: SINCE,
      ends_at: SINCE,
      facts: {},
      facts_hash: '',
      roster: {},
      roster_hash: '',
      explanation: {},
    })),
  );
  await asAdmin(
    api.config.database.url,
    `set session_replication_role = replica`,
    insert('leads', leadRows),
    insert('assignments', assignmentRows),
    insert('lead_waits', waitRows),
  );
}

function insert(table: string, rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  return `insert into ${table} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${table}, $json$${JSON.stringify(rows)}$json$)`;
}

type By = 'agent' | 'source' | 'rule' | 'hour';
type Row = Record<string, unknown>;

const REPORTED = () => leads.filter((lead) => !lead.is_agent_enquiry && lead.createdMs >= SINCE_MS);

const sourceName = (id: string | null) => sources.find((source) => source.id === id)?.name ?? null;
const agentOf = (id: string | null) => agents.find((agent) => agent.id === id);

function keyOf(by: By, lead: PastLead, assignment: PastAssignment | undefined): string | null {
  if (by === 'source') return sourceName(lead.source_id);
  if (by === 'agent') return agentOf(assignment?.agent_id ?? null)?.email ?? null;
  if (by === 'rule')
    return assignment
      ? (assignment.rule_name ?? `no rule: ${assignment.decided_by}`.replace('_', ' '))
      : null;
  const minute = localTime(new Date(lead.createdMs), ZONE)?.minuteOfDay ?? 0;
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:00`;
}

class Tally {
  leads = 0;
  assigned = 0;
  responded = 0;
  clocksEnded = 0;
  withinClock = 0;
  moves = 0;
  waits = 0;
  toAssigned: [number, number][] = [];
  toResponse: [number, number][] = [];

  row(key: string | null): Row {
    const { toAssigned, toResponse, ...counts } = this;
    return { key, ...counts, ...times('assigned', toAssigned), ...times('response', toResponse) };
  }
}

function times(name: string, spans: Tally['toAssigned']): Row {
  const elapsed = spans.map(([from, to]) => to - from);
  return {
    [`${name}P50`]: nearestRank(elapsed, 50),
    [`${name}P90`]: nearestRank(elapsed, 90),
  };
}

/** The least value that so many percent of the values do not exceed. */
function nearestRank(values: number[], percent: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const found = sorted.find((_, at) => (at + 1) * 100 >= percent * sorted.length);
  return found === undefined ? null : found / 1000;
}

function recount(by: By, nowMs: number): Row[] {
  const tallies = new Map<string | null, Tally>();
  const tallyOf = (key: string | null) => {
    const tally = tallies.get(key) ?? new Tally();
    tallies.set(key, tally);
    return tally;
  };
  const isByAssignment = by === 'agent' || by === 'rule';
  for (const lead of REPORTED()) {
    const { assignments } = lead;
    let isGiven = false;
    if (!isByAssignment || assignments.length === 0) {
      const tally = tallyOf(keyOf(by, lead, undefined));
      tally.leads += 1;
      if (lead.waits > 0) tally.waits += 1;
    }
    for (const [index, assignment] of assignments.entries()) {
      const next = assignments[index + 1];
      const isAgents = assignment.status === 'assigned';
      if (by === 'agent' && !isAgents && next) continue;
      const tally = tallyOf(keyOf(by, lead, assignment));
      if (isByAssignment) {
        tally.leads += 1;
        if (lead.waits > 0) tally.waits += 1;
      }
      const agent = agentOf(assignment.agent_id);
      if (!agent) continue;
      const { atMs, dueMs } = assignment;
      if (isByAssignment || !isGiven) {
        tally.assigned += 1;
        tally.toAssigned.push([lead.createdMs, atMs]);
        isGiven = true;
      }
      if (next) tally.moves += 1;
      const endMs = next?.atMs ?? Infinity;
      const { respondedMs } = lead;
      const isResponded = respondedMs !== null && respondedMs >= atMs && respondedMs < endMs;
      if (isResponded) {
        tally.responded += 1;
        tally.toResponse.push([atMs, respondedMs]);
        if (dueMs !== null && respondedMs <= dueMs) tally.withinClock += 1;
      }
      if (dueMs !== null && (isResponded || dueMs <= Math.min(endMs, nowMs)))
        tally.clocksEnded += 1;
    }
  }
  return [...tallies].map(([key, tally]) => tally.row(key));
}

/** The query of the dashboard's table, with what Grafana fills in. */
function dashboardSql(by: By): string {
  const { panels } = JSON.parse(readFileSync('docs/grafana-dashboard.json', 'utf8'));
  const table = panels.find((panel: Row) => panel.type === 'table');
  return String(table.targets[0].rawSql)
    .replaceAll('${by}', by)
    .replaceAll('${zone}', ZONE)
    .replaceAll('$__timeFilter(created_at)', `created_at between '${SINCE}' and now()`);
}

const numberOf = (value: unknown) => (/^[\d.]+$/.test(String(value)) ? Number(value) : value);

const byKey = (rows: Row[]) => new Map(rows.map((row) => [row.key, row]));

describe('report response', () => {
  test.each(['agent', 'source', 'rule', 'hour'] as const)(
    'by %s equals a recount of thousands of leads',
    async (by) => {
      const words = ['report', 'response', '--since', SINCE, '--by', by];
      const { json } = await leadctl(...words, '--json');
      expect(byKey(json.rows)).toEqual(byKey(recount(by, Date.now())));
      expect(json.rows.some((row: Row) => Number(row.withinClock) > 5)).toBe(true);
    },
  );

  test.each(['agent', 'source', 'rule', 'hour'] as const)(
    'the dashboard shows the same by %s, in elapsed time',
    async (by) => {
      const rows = await api.database.query<Row>(dashboardSql(by));
      const names = Object.keys(new Tally().row(null));
      const recounted = recount(by, Date.now()).map((row) => names.map((name) => row[name]));
      const shown = rows.map((row) => names.map((name) => numberOf(row[snakeCase(name)])));
      const inOrder = (all: unknown[][]) => new Map(all.map(([key, ...figures]) => [key, figures]));
      expect(inOrder(shown)).toEqual(inOrder(recounted));
    },
  );

  test('the total counts each lead once by source', async () => {
    const { json } = await leadctl(
      'report',
      'response',
      '--since',
      SINCE,
      '--by',
      'source',
      '--json',
    );
    expect(json.total.leads).toBe(REPORTED().length);
  });

  test('the terminal shows shares and times', async () => {
    const { text } = await leadctl('report', 'response', '--since', SINCE, '--by', 'source');
    expect(text).toContain('times as p50 / p90');
    expect(text).toMatch(/Website .* \d+ .* \d+% .* \d+h( \d+m)? \/ /);
    expect(text).toMatch(/^total +\d/m);
  });

  test('a response before the due time is within the clock that ran', async () => {
    const agent = await makeAgent(api.database);
    const target = { kind: 'agent', agentId: agent.id };
    await activateRules(api.database, [{ name: 'New', target, followUp: { minutes: 15 } }]);
    const { id: leadId } = await api.create({ source: 'Website' });
    await leadActivities(api).routeLead({ leadId });
    await api.call('POST', `/public/leads/${leadId}/response-time`, { body: { seconds: 5 } });
    const { json } = await leadctl('report', 'response', '--since', '1h', '--json');
    const figures = { leads: 1, assigned: 1, responded: 1, clocksEnded: 1, withinClock: 1 };
    expect(json.rows).toEqual([expect.objectContaining({ key: agent.email, ...figures })]);
  });
});
