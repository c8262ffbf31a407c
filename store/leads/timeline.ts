import type { Sql } from '../db/database.ts';

export interface TimelineNote {
  at: Date;
  kind: string;
  client: string | null;
  text: string;
}

export async function readTimeline(sql: Sql, leadId: string): Promise<TimelineNote[]> {
  return sql.query<TimelineNote & Record<string, unknown>>(
    `select n.at, n.kind, n.text, (select name from oauth_clients where id = n.client_id) as client
     from timeline_notes n where n.lead_id = $1 order by n.at, n.id`,
    [leadId],
  );
}
