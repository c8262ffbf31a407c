import type { AgentView } from '../../domain/lead/events.ts';
import type { Sql } from '../database.ts';

export async function readAgent(sql: Sql, agentId: string): Promise<AgentView | null> {
  const [agent] = await sql.query<AgentView & Record<string, unknown>>(
    `select id, slug, name, email, phone, whatsapp_phone as "whatsappPhone", active
     from agents where id = $1`,
    [agentId],
  );
  return agent ?? null;
}
