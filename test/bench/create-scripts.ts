import { randomUUID } from 'node:crypto';
import { createLead, prepareCreate } from '../../api/leads/create-lead.ts';
import { enquiryFrom } from '../../domain/leads/enquiry.ts';
import { createPayload, type Payload } from '../../domain/leads/payload-schema.ts';
import { admitToken } from '../../store/clients/admit-token.ts';
import { createSql, type Database, type Sql } from '../../store/db/database.ts';
import { loadReference } from '../../store/catalogue/load-reference.ts';
import { prepared, type Statement } from './statement.ts';

/** The statements of one create, token check first; the others are its transaction. */
export type Script = readonly Statement[];

export interface BenchClient {
  id: string;
  tokenHash: Buffer;
}

/** Creates leads for real, one per body, and keeps what each said to the database. */
export async function recordScripts(
  database: Database,
  client: BenchClient,
  bodies: readonly Record<string, unknown>[],
): Promise<Script[]> {
  const reference = await loadReference(database, 'Bench');
  const scripts: Script[] = [];
  for (const body of bodies) {
    const script: Statement[] = [];
    const recorder = recording(database, script);
    const now = new Date();
    await admitToken(recorder, client.tokenHash, now);
    const request = {
      enquiry: enquiryFrom(createPayload.parse(body) as Payload, 'create', reference.quizFields),
      body: JSON.stringify(body),
      caller: { id: client.id, name: 'Bench' },
      reference,
      now,
      submissionId: randomUUID(),
      newId: randomUUID,
      settings: { mergeWindowMs: 86_400_000, followUpMs: 900_000 },
    };
    await createLead(recorder, prepareCreate(request));
    scripts.push(script);
  }
  return scripts;
}

function recording(database: Database, script: Statement[]): Database {
  const recorded = (sql: Sql): Sql =>
    createSql(sql.tables, (text, values = []) => {
      script.push(prepared(text, values));
      return sql.query(text, values);
    });
  return {
    ...database,
    ...recorded(database),
    transaction: (work, options) =>
      database.transaction((sql) => work({ ...sql, ...recorded(sql) }), options),
  };
}
