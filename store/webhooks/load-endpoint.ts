import type { Sql } from '../db/database.ts';

/** What is needed to call an endpoint. */
export interface LoadedEndpoint {
  url: string;
  allowHttp: boolean;
  secretSealed: Buffer;
  previousSecretSealed: Buffer | null;
  previousSecretUntil: Date | null;
}

export async function loadEndpoint(sql: Sql, endpointId: string): Promise<LoadedEndpoint | null> {
  const [row] = await sql.query<LoadedEndpoint & Record<string, unknown>>(
    `select url, allow_http as "allowHttp", secret_sealed as "secretSealed",
       previous_secret_sealed as "previousSecretSealed", previous_secret_until as "previousSecretUntil"
     from webhook_endpoints where id = $1`,
    [endpointId],
  );
  return row ?? null;
}
