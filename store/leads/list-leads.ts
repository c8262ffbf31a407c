import type { LeadStatus } from '../../workflows/contracts/lead-snapshot.ts';
import type { Sql } from '../db/database.ts';

export interface LeadFilter {
  status: LeadStatus | null;
  agentId: string | null;
  needsReview: boolean;
  /** Only leads that nobody has answered, where they are since then or longer. */
  waitingSince: Date | null;
  limit: number;
}

/** One line of a list of leads: nothing of the customer. */
export interface ListedLead {
  id: string;
  status: LeadStatus;
  /** When it came to where it is. */
  since: Date;
  holder: { id: string; name: string; email: string } | null;
  pool: string | null;
  followUpDueAt: Date | null;
  respondedAt: Date | null;
  /** The names of the fields alone: what was sent in them may be the customer's. */
  unresolvedFields: string[];
  client: string;
}

/** Longest where they are first. What is unassigned waits for nobody, unless it is asked for. */
export async function listLeads(sql: Sql, filter: LeadFilter): Promise<ListedLead[]> {
  const { status, agentId, needsReview, waitingSince, limit } = filter;
  return sql.query<ListedLead & Record<string, unknown>>(STATEMENT, [
    status,
    agentId,
    needsReview,
    waitingSince,
    limit,
  ]);
}

const STATEMENT = `
select l.id, l.assignment_status as status, placed.since,
  (select jsonb_build_object('id', g.id, 'name', g.name, 'email', g.email)
   from agents g where g.id = l.owner_id) as holder,
  (select name from list_entries where id = l.pool_id) as pool,
  l.follow_up_due_at as "followUpDueAt", l.agent_responded_at as "respondedAt",
  coalesce((select jsonb_agg(field order by field) from jsonb_object_keys(l.intake_unresolved) field), '[]')
    as "unresolvedFields",
  (select name from oauth_clients where id = l.client_id) as client
from leads l
cross join lateral (
  select case when l.assignment_status = 'pending' then l.updated_at else coalesce((
      select a.decided_at from assignments a where a.lead_id = l.id
      order by a.round desc, a.move desc limit 1), l.created_at) end as since) placed
where ($1::text is null or l.assignment_status = $1)
  and ($2::uuid is null or l.owner_id = $2)
  and (not $3 or l.intake_unresolved is not null)
  and ($4::timestamptz is null or (placed.since <= $4 and l.agent_responded_at is null
       and (l.assignment_status <> 'unassigned' or $1 = 'unassigned')))
order by placed.since, l.id limit $5`;
