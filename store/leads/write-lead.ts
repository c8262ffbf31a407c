import { setTimeout } from 'node:timers/promises';
import { NO_ASSIGNMENT, type Records, recordsOf } from '../../domain/assignment/records.ts';
import type { CampaignKey } from '../../domain/leads/ad-platform.ts';
import type { CreditChange } from '../../domain/routing/roster.ts';
import { isConnectionError } from '../../platform/errors.ts';
import {
  type Database,
  type Sql,
  type TransactionSql,
  UnknownCommitError,
} from '../db/database.ts';
import { columnsOf, insertInto, insertRows, joinRows, type RowsByTable } from '../db/rows.ts';
import { statement } from '../db/statement.ts';
import { Assignment, RoutingDecision } from '../tables/assignment.ts';
import { Contact, ContactPoint } from '../tables/contacts.ts';
import { Lead, LeadAccess, LeadContactPoint, LeadOutbox } from '../tables/leads.ts';
import {
  AdPlatformBlock,
  Comment,
  QuizAnswer,
  QuizQuestion,
  Submission,
  TimelineNote,
} from '../tables/submissions.ts';
import { WebhookDelivery, WebhookEvent } from '../tables/webhooks.ts';
import type { AddedRows, ChangedColumns, NewLeadRows } from './lead-rows.ts';

const additions = [
  insertInto(ContactPoint, { onConflict: 'do nothing' }),
  insertInto(LeadAccess, { onConflict: 'do nothing' }),
  insertInto(LeadContactPoint, { onConflict: '(lead_id, kind, value) do nothing' }),
  insertInto(Comment),
  insertInto(TimelineNote),
  insertInto(AdPlatformBlock, { onConflict: 'do nothing' }),
  insertInto(QuizQuestion, {
    onConflict: '(quiz_key, question) do update set options = excluded.options',
  }),
  // A JSON null becomes an SQL null.
  insertInto(QuizAnswer, { expressions: { raw: `coalesce(r.raw, 'null'::json)` } }),
  insertInto(Assignment),
  insertInto(RoutingDecision),
  insertInto(WebhookEvent, { returning: '*' }),
  insertInto(WebhookDelivery, {
    columns: ['event_id', 'endpoint_id', 'lead_id', 'created_at'],
    select: `select e.id, p.id, e.lead_id, e.created_at from new_webhook_events e
      cross join lateral (select id from webhook_endpoints
        where client_id = e.client_id and enabled and e.type = any (events) offset 0) p`,
    selectsFrom: 'webhook_events',
  }),
  insertInto(LeadOutbox, { omit: ['attempts'], returning: 'lead_id, id' }),
  // A string within the JSON, so that the body is stored as received.
  insertInto(Submission, { expressions: { body: `(r.body #>> '{}')::json` } }),
];
const contact = insertInto(Contact, { omit: ['marked_as_agent'] });
const insertsOfNewLeads = insertRows<{ rows: string }, OutboxId>('insert_leads', [
  contact,
  insertInto(Lead),
  ...additions,
]);

interface OutboxId {
  leadId: string;
  outboxId: number;
}

/** Inserts all rows in one statement, which also commits. */
export async function insertLeads(sql: TransactionSql, leads: readonly NewLeadRows[]) {
  const rows = joinRows(leads.flatMap(rowsOfNewLead));
  const statement = insertsOfNewLeads(
    rows,
    `select lead_id as "leadId", id as "outboxId" from new_lead_outbox`,
  );
  return sql.allAndCommit(statement, { rows: JSON.stringify(rows) });
}

function rowsOfNewLead({ lead: row, source, transition, added }: NewLeadRows): RowsByTable[] {
  const { columns, rows } = recordsOf(row, NO_ASSIGNMENT, transition, { source, poolName: '' });
  return [added, rows, { leads: [withoutNulls({ ...row, ...columns })] }];
}

/** Omitted columns become null: two thirds of a new lead's columns. */
function withoutNulls<Row extends Record<string, unknown>>(row: Row): Row {
  const filled: Record<string, unknown> = {};
  for (const name of Object.keys(row)) if (row[name] !== null) filled[name] = row[name];
  return filled as Row;
}

/** Connections often fail together, and Postgres may be restarting. */
const LOOKUP_MS = 2000;
const LOOKUP_PAUSE_MS = 50;

/** `lock` takes the locks of the lost transaction, so that it has ended by then. Throws other errors again. */
export async function wasCommitted(
  database: Database,
  error: unknown,
  submissionIds: readonly string[],
  lock: (sql: Sql) => Promise<void>,
): Promise<boolean> {
  if (!(error instanceof UnknownCommitError)) throw error;
  const giveUpAtMs = performance.now() + LOOKUP_MS;
  for (;;) {
    try {
      return await database.transaction(async (sql) => {
        await lock(sql);
        return (await sql.all(FIND_SUBMISSIONS, { submissionIds })).length > 0;
      });
    } catch (failure) {
      if (performance.now() > giveUpAtMs || !isConnectionError(failure)) throw failure;
    }
    await setTimeout(LOOKUP_PAUSE_MS);
  }
}

const FIND_SUBMISSIONS = statement<{ submissionIds: readonly string[] }>('find_submissions')`
select from submissions where id = any (:submissionIds::uuid[])`;

const supersededAnswers = `superseded as (
  update quiz_answers q set superseded_at = :now::timestamptz from doc
  where q.lead_id = :leadId and q.quiz_key = doc.rows ->> 'superseded_quiz_key' and q.superseded_at is null)`;
const leadColumns = columnsOf(Lead).filter((column) => column !== 'id');
/** All columns, so that there is one statement. Unchanged columns keep their values. */
const changedLead = `changed as (
  update leads l set (${leadColumns.join(', ')}) = (
    select ${leadColumns.map((column) => `r.${column}`).join(', ')}
    from jsonb_populate_record(l, doc.rows -> 'change') r)
  from doc where l.id = :leadId)`;
const credited = `credited as (
  update team_members m set owed_leads = c.credit
  from doc, jsonb_to_recordset(doc.rows -> 'credits') as c ("teamId" uuid, "agentId" uuid, credit float8)
  where m.team_id = c."teamId" and m.agent_id = c."agentId")`;

interface ChangeParams {
  leadId: string;
  now: Date;
  rows: string;
}

const writeChange = insertRows<ChangeParams, { outboxId: number | null }>('change_lead', additions);

const unqueued = `unqueued as (delete from waiting_leads where lead_id = :leadId)`;

export interface LeadChangeRows {
  columns: ChangedColumns;
  records: Records | null;
  rows: AddedRows;
  credits: readonly CreditChange[];
  supersededQuizKey: string | null;
  now: Date;
}

/** All in one statement. Returns the id of the row of the outbox, if there is one. */
export async function changeLead(
  sql: Sql,
  leadId: string,
  { columns, records, rows: added, credits, supersededQuizKey, now }: LeadChangeRows,
): Promise<number | null> {
  const change = { ...columns, ...records?.columns };
  const rows = records ? joinRows([added, records.rows]) : added;
  const updates = [
    ...(Object.keys(change).length > 0 ? [changedLead] : []),
    ...(supersededQuizKey === null ? [] : [supersededAnswers]),
    ...(credits.length > 0 ? [credited] : []),
    ...(records?.endsWait ? [unqueued] : []),
  ];
  if (updates.length === 0 && Object.keys(rows).length === 0) return null;
  const outboxId = rows.lead_outbox?.length ? '(select id from new_lead_outbox)' : 'null::int';
  const rest = [...updates.map((update) => `, ${update}`), `select ${outboxId} as "outboxId"`];
  const doc = { ...rows, change, credits, superseded_quiz_key: supersededQuizKey };
  const values = { leadId, now, rows: JSON.stringify(doc) };
  return (await sql.first(writeChange(rows, rest.join('\n')), values))?.outboxId ?? null;
}

/** For a changed calendar. The lead is locked. */
export async function moveFollowUp(sql: Sql, leadId: string, dueAt: Date): Promise<void> {
  await sql.all(MOVE_FOLLOW_UP, { leadId, dueAt });
}

const MOVE_FOLLOW_UP = statement<{ leadId: string; dueAt: Date }>('move_follow_up')`
with lead as (update leads set follow_up_due_at = :dueAt where id = :leadId returning id, round, moves)
update assignments a set follow_up_due_at = :dueAt from lead
where (a.lead_id, a.round, a.move) = (lead.id, lead.round, lead.moves)`;

export async function closeMergeWindow(sql: Sql, leadId: string, now: Date): Promise<Date | null> {
  const open = await sql.first(CLOSE_MERGE_WINDOW, { leadId, now });
  return open?.endsAt ?? null;
}

const CLOSE_MERGE_WINDOW = statement<{ leadId: string; now: Date }, { endsAt: Date }>(
  'close_merge_window',
)`
with closed as (
  update leads set merge_window_closed_at = :now::timestamptz
  where id = :leadId and merge_window_closed_at is null and merge_window_ends_at <= :now returning id),
freed as (
  update lead_contact_points h set mergeable = false from closed where h.lead_id = closed.id and h.mergeable)
select merge_window_ends_at as "endsAt" from leads
where id = :leadId and merge_window_closed_at is null and merge_window_ends_at > :now`;

export interface Campaign {
  id: string;
  name: string | null;
}

/** The campaign must be created, or renamed as on the platform. */
export function isNewCampaign(key: CampaignKey | null, known: Campaign | null): boolean {
  if (!key || !known) return key !== null;
  return key.platformCampaignId !== null && key.name !== null && key.name !== known.name;
}

/** Runs a statement only if the campaign is new. */
export async function ensureCampaign(
  sql: Sql,
  key: CampaignKey | null,
  known: Campaign | null,
  { now, newId }: { now: Date; newId: () => string },
): Promise<Campaign | null> {
  if (!key || !isNewCampaign(key, known)) return key && known;
  const ensure = key.platformCampaignId === null ? ENSURE_NAMED_CAMPAIGN : ENSURE_PLATFORM_CAMPAIGN;
  return sql.first(ensure, { ...key, id: newId(), now });
}

type NewCampaign = CampaignKey & { id: string; now: Date };

const INSERT_CAMPAIGN = `insert into advertising_campaigns as c
  (id, platform_campaign_id, name, name_key, created_at, updated_at)
values (:id, :platformCampaignId, :name, :nameKey, :now, :now)`;

const ENSURE_NAMED_CAMPAIGN = statement<NewCampaign, Campaign>('ensure_named_campaign')`
${INSERT_CAMPAIGN}
on conflict (name_key) where platform_campaign_id is null do update set updated_at = excluded.updated_at
returning id, name`;

const ENSURE_PLATFORM_CAMPAIGN = statement<NewCampaign, Campaign>('ensure_platform_campaign')`
${INSERT_CAMPAIGN}
on conflict (platform_campaign_id) do update set name = coalesce(excluded.name, c.name),
  name_key = coalesce(excluded.name_key, c.name_key), updated_at = excluded.updated_at
returning id, name`;
