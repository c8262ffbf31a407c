import { withCompanyName } from '../../domain/catalogue/lookups/funnel-matching.ts';
import { BY_OPERATOR } from '../../domain/leads/timeline-notes.ts';
import { isUuid } from '../../domain/uuid.ts';
import type { LeadSnapshot } from '../../workflows/contracts/lead-snapshot.ts';
import { createBatcher } from '../db/batcher.ts';
import type { Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { IS_END_BEFORE_WAIT, isUndo, WAIT_OF_LEAD } from './waiting-leads.ts';

type Row = Omit<LeadSnapshot, 'clientLabel'> & {
  clientName: string;
  /** Slugs of the agents that the reasons may name, by id. */
  slugs: Record<string, string>;
};

interface FoundRow {
  id: string;
  snapshot: Row;
  traceparent: string | null;
}

export interface FoundLead {
  snapshot: LeadSnapshot;
  /** The trace for log lines; the snapshot, which goes into the history, does not have it. */
  traceparent: string | null;
}

/** Reads leads' snapshots, with nothing personal of a customer. Those that are requested at once share a statement. */
export function createLeadSnapshotReader(sql: Sql, companyName: string) {
  return createBatcher<string, FoundLead | null>(async (leadIds) => {
    const rows = await sql.all(READ_LEAD_SNAPSHOTS, { leadIds });
    const found = new Map(
      rows.map(({ id, snapshot, traceparent }) => [
        id,
        { snapshot: present(snapshot, companyName), traceparent },
      ]),
    );
    return leadIds.map((id) => found.get(id) ?? null);
  });
}

function present({ slugs, clientName, ...snapshot }: Row, companyName: string): LeadSnapshot {
  const { oauthClientId } = snapshot;
  return {
    ...snapshot,
    clientLabel: isUuid(oauthClientId) ? clientName : oauthClientId,
    funnel: withCompanyName(snapshot.funnel, companyName),
    reasons: snapshot.reasons.map((line) => withSlugs(line, slugs)),
  };
}

/** Postgres keeps agents by id in the reasons of decisions; an operator knows them by their slugs. */
function withSlugs(line: string, slugs: Record<string, string>): string {
  return line.replaceAll(/\bagent ([0-9a-f-]{36})\b/g, (all, id: string) =>
    slugs[id] ? `agent ${slugs[id]}` : all,
  );
}

/** Limits each line: all of them are in the payload of every refresh, and Temporal refuses one that is too large. */
const LINE_CHARACTERS = 1000;

/**
 * The most deliveries of a snapshot. Temporal takes 2 MiB and 2,000 pending activities, and a workflow task may take
 * five seconds: 2,100 took longer. The reconciler reminds of those that are due once the others have ended.
 */
const MOST_DELIVERIES = 500;

const MS = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;

/**
 * The time by which the queue's owner must have routed a waiting lead: two to five minutes after it is due, spread so that
 * not all leads are checked at one moment, and a tenth of a second later for each lead before it.
 */
const WAIT_CHECK_AT = `
  select ${MS('own.due_at')} + 120000 + abs(hashtext(l.id::text)::bigint) % 180000 + 100 * (
    select count(*) from waiting_leads before where (before.since, before.lead_id) < (own.since, own.lead_id))
  from waiting_leads own where own.lead_id = l.id and l.assignment_status = 'pending'`;

const AWAITED_AGENTS = `array(
  select jsonb_array_elements_text(jsonb_path_query_array(w.explanation, '$.rules[*].awaited[*]'))::uuid)`;

/** The reason of a wait, after what the operator did who sent the lead back to the rules. */
const WAIT_REASON = `case when w.hand_over_id is null then ''
    when ${isUndo('w.hand_over_id')} then '${BY_OPERATOR.takenBack}. ' else '${BY_OPERATOR.sentBack}. ' end || w.reason`;

const READ_LEAD_SNAPSHOTS = statement<{ leadIds: readonly string[] }, FoundRow>(
  'read_lead_snapshots',
  `select l.id, l.traceparent, jsonb_build_object(
     'status', l.assignment_status,
     'round', l.round,
     'moves', l.moves,
     'agentId', l.owner_id,
     'agentSlug', (select slug from agents where id = l.owner_id),
     'poolName', (select name from list_entries where id = l.pool_id),
     'isPersonal', l.is_personal,
     'followUpDueAtMs', ${MS('l.follow_up_due_at')},
     'waitDueAtMs', ${MS('w.due_at')},
     'waitCheckAtMs', (${WAIT_CHECK_AT}),
     'mergeWindowEndsAtMs', case when l.merge_window_closed_at is null and not l.is_portal
                                 then ${MS('l.merge_window_ends_at')} end,
     'isResponded', l.agent_responded_at is not null,
     'isRespondedBefore', coalesce(l.agent_responded_at < l.assigned_at, false),
     'source', (select name from list_entries where id = l.source_id),
     'funnel', (select name from funnels where id = l.funnel_id),
     'oauthClientId', c.client_id,
     'clientName', c.name,
     'needsReview', l.intake_unresolved is not null,
     'rulesetVersion', a.ruleset_version,
     'reasons', coalesce((select jsonb_agg(line order by at, move) from (
         select case when length(line) > ${LINE_CHARACTERS}
                     then left(line, ${LINE_CHARACTERS - 1}) || '…' else line end as line, at, move from (
           select reason as line, decided_at as at, move from assignments a
           where lead_id = l.id and not ${IS_END_BEFORE_WAIT}
           union all
           select ${WAIT_REASON}, decided_at, l.moves from lead_waits w where lead_id = l.id
           union all
           select text, at, l.moves from timeline_notes where lead_id = l.id and kind = 'follow_up') lines
         order by at desc, move desc limit 5) newest), '[]'),
     'slugs', coalesce((select jsonb_object_agg(id, slug) from agents
       where id in (select agent_id from assignments where lead_id = l.id)
         or id = any (${AWAITED_AGENTS})), '{}'),
     'deliveries', coalesce((select jsonb_agg(jsonb_build_object(
         'eventId', d.event_id, 'endpointId', d.endpoint_id, 'eventType', d.type, 'status', d.status,
         'attempts', d.attempts, 'generation', d.generation, 'failureReason', d.failure_reason)
        order by d.sequence, d.endpoint_id)
       from (
         select d.*, e.type, e.sequence from webhook_deliveries d join webhook_events e on e.id = d.event_id
         where d.lead_id = l.id and d.status <> 'delivered'
         order by d.status <> 'pending', e.sequence, d.endpoint_id limit ${MOST_DELIVERIES}) d), '[]')) as snapshot
   from leads l
   join oauth_clients c on c.id = l.client_id
   left join lateral (${WAIT_OF_LEAD}) w on true
   left join lateral (
     select ruleset_version from assignments where lead_id = l.id order by round desc, move desc limit 1) a on true
   where l.id = any (:leadIds::uuid[])`,
);
