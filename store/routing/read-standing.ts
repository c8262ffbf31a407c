import { withCompanyName } from '../../domain/lookup/company-name.ts';
import type { LeadStanding } from '../../workflows/messages.ts';
import type { Sql } from '../database.ts';

/** Where a lead stands, for its workflow: ids and names of records, nothing personal. */
export async function readStanding(
  sql: Sql,
  leadId: string,
  companyName: string,
): Promise<LeadStanding | null> {
  const [row] = await sql.query<{ standing: LeadStanding }>(STATEMENT, [leadId]);
  if (!row) return null;
  const { standing } = row;
  return { ...standing, funnel: withCompanyName(standing.funnel, companyName) };
}

/** Each line is a payload of every look; rules without end would make one that Temporal refuses. */
const LINE_CHARACTERS = 1000;

const MS = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;

const STATEMENT = `
select jsonb_build_object(
  'status', l.assignment_status,
  'round', l.round,
  'moves', l.moves,
  'agentId', l.owner_id,
  'poolName', (select name from list_entries where id = l.pool_id),
  'isPersonal', l.is_personal,
  'followUpDueAtMs', ${MS('l.follow_up_due_at')},
  'mergeWindowEndsAtMs', case when l.merge_window_closed_at is null and not l.is_portal
                              then ${MS('l.merge_window_ends_at')} end,
  'isResponded', l.agent_responded_at is not null,
  'source', (select name from list_entries where id = l.source_id),
  'funnel', (select name from funnels where id = l.funnel_id),
  'oauthClientId', (select client_id from oauth_clients where id = l.client_id),
  'needsReview', l.intake_unresolved is not null,
  'rulesetVersion', a.ruleset_version,
  'story', coalesce((select jsonb_agg(line order by at, move) from (
      select case when length(line) > ${LINE_CHARACTERS}
                  then left(line, ${LINE_CHARACTERS - 1}) || '…' else line end as line, at, move from (
        select reason as line, decided_at as at, move from assignments where lead_id = l.id
        union all
        select text, at, l.moves from timeline_notes where lead_id = l.id and kind = 'follow_up') told
      order by at desc, move desc limit 5) newest), '[]'),
  'deliveries', coalesce((select jsonb_agg(jsonb_build_object(
      'eventId', d.event_id, 'endpointId', d.endpoint_id, 'leadId', l.id, 'eventType', e.type,
      'oauthClientId', (select client_id from oauth_clients where id = l.client_id)) order by e.sequence)
    from webhook_deliveries d join webhook_events e on e.id = d.event_id
    where d.lead_id = l.id and d.status = 'pending' and d.started_at is null), '[]')) as standing
from leads l
left join lateral (
  select ruleset_version from assignments where lead_id = l.id order by round desc, move desc limit 1) a on true
where l.id = $1`;
