import type { NotNull } from 'kysely';
import type { StoredDecision } from '../../domain/routing/recompute.ts';
import type { Roster } from '../../domain/routing/roster.ts';
import type { GivenLead } from '../../domain/routing/what-if.ts';
import type { Sql } from '../db/database.ts';
import { COUNTS_TODAY } from './agents.ts';
import { FIRST_RESPONSE_AT } from './roster.ts';

export interface DecisionEntry extends StoredDecision {
  /** The id of the assignment, or of the lead that waits. */
  id: string;
  leadId: string;
  round: number;
  move: number;
  rulesetVersion: number;
  /** When the lead stopped counting as open for the agent; null: it counts still. */
  closedAt: Date | null;
}

const PAGE = 500;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Every assignment that was decided since a time, with its inputs, in the order in which they were made. */
export function readDecisionsSince(sql: Sql, since: Date): AsyncGenerator<DecisionEntry> {
  return readPages(sql, since, readDecisions);
}

export function readWaitsSince(sql: Sql, since: Date): AsyncGenerator<DecisionEntry> {
  return readPages(sql, since, readWaits);
}

type Position = Pick<DecisionEntry, 'id' | 'decidedAt'>;

async function* readPages<Row extends Position>(
  sql: Sql,
  since: Date,
  readPage: (sql: Sql, after: Position) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let after: Position = { decidedAt: since, id: NO_ID };
  for (;;) {
    const page = await readPage(sql, after);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last;
  }
}

function closedAt({ tables, fragment }: Sql) {
  const next = tables
    .selectFrom('assignments as n')
    .select('n.decided_at')
    .where(fragment<boolean>`n.lead_id = a.lead_id and (n.round, n.move) > (a.round, a.move)`)
    .orderBy('n.round')
    .orderBy('n.move')
    .limit(fragment.lit(1));
  const responded = fragment.raw(FIRST_RESPONSE_AT);
  return fragment<Date | null>`least(${responded}, ${next})`.as('closedAt');
}

/** What a decision was made from and how it came about, of an assignment or a wait `d`. */
const INPUTS = [
  'd.ruleset_version as rulesetVersion',
  'd.facts',
  'd.facts_hash as factsHash',
  'd.roster',
  'd.roster_hash as rosterHash',
  'd.explanation',
] as const;

const selectDecided = ({ tables, fragment }: Sql, { decidedAt, id }: Position) =>
  tables
    .selectFrom('assignments as a')
    .innerJoin('routing_decisions as d', 'd.assignment_id', 'a.id')
    .select(['a.id', 'a.decided_at as decidedAt'])
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('a.decided_at', 'a.id'), '>', tuple(decidedAt, id)),
    )
    .orderBy('a.decided_at')
    .orderBy('a.id')
    .limit(fragment.lit(PAGE));

function readDecisions(sql: Sql, after: Position) {
  const decided = selectDecided(sql, after)
    .innerJoin('leads as l', 'l.id', 'a.lead_id')
    .select(['a.lead_id as leadId', 'a.round', 'a.move', 'a.decided_by as decidedBy'])
    .select(['a.rule_name as ruleName', 'a.status', 'a.agent_id as agentId'])
    .select(['a.pool_id as poolId', 'a.follow_up as followUp', closedAt(sql)])
    .select(INPUTS);
  return sql.run(decided.$narrowType<{ decidedBy: StoredDecision['decidedBy'] }>());
}

/** What a wait has of the columns of an assignment. */
const UNPLACED = {
  move: 0,
  decidedBy: 'rules',
  status: 'waiting',
  agentId: null,
  poolId: null,
  followUp: null,
  closedAt: null,
} as const;

async function readWaits({ tables, fragment, run }: Sql, { decidedAt, id }: Position) {
  const waits = await run(
    tables
      .selectFrom('lead_waits as d')
      .select(['d.lead_id as id', 'd.lead_id as leadId', 'd.round'])
      .select(['d.decided_at as decidedAt', 'd.rule_name as ruleName'])
      .select(INPUTS)
      .where('d.explanation', 'is not', null)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('d.decided_at', 'd.lead_id'), '>', tuple(decidedAt, id)),
      )
      .orderBy('d.decided_at')
      .orderBy('d.lead_id')
      .limit(fragment.lit(PAGE))
      .$narrowType<{ explanation: NotNull; roster: Roster }>(),
  );
  return waits.map((wait) => ({ ...UNPLACED, ...wait }));
}

/** By a listing, `assignedBy`, a claim or the follow-up, in the order in which they got them. */
export async function readGivenLeads(sql: Sql, since: Date): Promise<GivenLead[]> {
  const { tables, fragment, run } = sql;
  const rotations = fragment`
    jsonb_path_query(d.explanation, '$.rules[*] ? (@.selection.by == "weighted_round_robin")')`;
  const steps = fragment`jsonb_array_elements(rule #> '{selection,arithmetic}')`;
  const turns = fragment<GivenLead['turns']>`
    coalesce(jsonb_agg(step || jsonb_build_object('teamId', rule #>> '{target,teamId}')), '[]')`;
  return run(
    tables
      .selectFrom('assignments as a')
      .innerJoin('leads as l', 'l.id', 'a.lead_id')
      .leftJoin('routing_decisions as d', 'd.assignment_id', 'a.id')
      .select(['a.lead_id as leadId', 'a.agent_id as agentId', 'a.decided_at as at', closedAt(sql)])
      .select(fragment<boolean>`${fragment.raw(COUNTS_TODAY)}`.as('isCounted'))
      .select(({ selectFrom }) =>
        selectFrom([rotations.as('rule'), steps.as('step')])
          .select(turns.as('turns'))
          .as('turns'),
      )
      .where('a.decided_at', '>', since)
      .where('a.agent_id', 'is not', null)
      .where('a.decided_by', '<>', 'rules')
      .orderBy('a.decided_at')
      .orderBy('a.id')
      .$narrowType<{ agentId: NotNull; turns: NotNull }>(),
  );
}
