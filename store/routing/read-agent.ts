import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import type { Sql } from '../db/database.ts';

/** The agent that a decision chose from a roster, which cannot be missing. */
export async function readChosenAgent(sql: Sql, agentId: string): Promise<AgentView> {
  const agent = await readAgent(sql, agentId);
  if (!agent) throw new Error(`The chosen agent ${agentId} is not there.`);
  return agent;
}

export async function readAgent(sql: Sql, agentId: string): Promise<AgentView | null> {
  const [agent] = await sql.query<AgentView & Record<string, unknown>>(
    `select id, slug, name, email, phone, whatsapp_phone as "whatsappPhone", active
     from agents where id = $1`,
    [agentId],
  );
  return agent ?? null;
}
