import type { AssignmentStatus } from '../../domain/assignment/assignment-event.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import type { Sql } from '../db/database.ts';

/** Who asks; without `leads:all` only the leads that it created or merged into are visible to it. */
export interface Reader {
  id: string;
  scopes: ReadonlySet<string>;
}

export function seesEveryLead(reader: Reader): boolean {
  return reader.scopes.has('leads:all');
}

/** The condition under which a reader sees lead `l`; takes two parameters: client id, sees everything. */
export function visibleTo(clientId: string, everything: string): string {
  return `(${everything}::boolean or exists (
    select from lead_access a where a.lead_id = l.id and a.client_id = ${clientId}::uuid))`;
}

export interface LeadAssignment {
  leadId: string;
  status: AssignmentStatus;
  createdAt: Date;
  agent: AgentView | null;
}

/** Null for a lead that does not exist or is not visible to this reader: a reader cannot tell which. */
export async function readAssignment(
  sql: Sql,
  leadId: string,
  reader: Reader,
): Promise<LeadAssignment | null> {
  const [found] = await sql.query<LeadAssignment & Record<string, unknown>>(READ_ASSIGNMENT_SQL, [
    leadId,
    reader.id,
    seesEveryLead(reader),
  ]);
  return found ?? null;
}

/** The agent object of the answers, for the agent in an outer-joined row. */
export function agentAsJson(agent: string): string {
  const members = ['id', 'slug', 'name', 'email', 'phone', 'active'].map(
    (name) => `'${name}', ${agent}.${name}`,
  );
  return `case when ${agent}.id is not null then jsonb_build_object(
    ${members.join(', ')}, 'whatsappPhone', ${agent}.whatsapp_phone) end`;
}

const READ_ASSIGNMENT_SQL = `
select l.id as "leadId", l.assignment_status as status, l.created_at as "createdAt", ${agentAsJson('g')} as agent
from leads l left join agents g on g.id = l.owner_id
where l.id = $1 and ${visibleTo('$2', '$3')}`;

export async function canSee(sql: Sql, leadId: string, reader: Reader): Promise<boolean> {
  const found = await sql.query(
    `select l.id from leads l where l.id = $1 and ${visibleTo('$2', '$3')}`,
    [leadId, reader.id, seesEveryLead(reader)],
  );
  return found.length > 0;
}
