import type { Decision, Reassignment } from '../../domain/routing/types.ts';
import type { Sql } from '../db/database.ts';

/**
 * Names for the short lines of an explanation: pools by name, agents by id, since those lines are seen
 * in workflow histories and no person is named there.
 */
export async function readDecisionNames(
  sql: Sql,
  decision: Decision | Reassignment,
): Promise<(id: string) => string> {
  if (decision.kind !== 'pool') return agentById;
  const [pool] = await sql.query<{ name: string }>(`select name from list_entries where id = $1`, [
    decision.poolId,
  ]);
  return (id) => (id === decision.poolId ? `'${pool?.name ?? id}'` : agentById(id));
}

function agentById(id: string): string {
  return `agent ${id}`;
}
