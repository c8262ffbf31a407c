import { createHash, randomUUID } from 'node:crypto';
import process from 'node:process';
import pg from 'pg';
import { startBareServer } from '../bare-server.ts';

/** A body of the benchmark, with one phone and one e-mail. */
interface Body {
  leadPhones: [string];
  leadEmails: [string];
  leadFirstName: string;
  initialInquiry: string;
}

// What a create needs at least: 13 plain statements in one durable transaction per request. It counts no
// quota: on one counter all transactions would wait for each other.
// eslint-disable-next-line no-restricted-properties -- an entry point
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const server = await startBareServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    void create(request.headers.authorization?.slice(7) ?? '', text).then((lead) =>
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(lead)),
    );
  });
});
process.send?.(server.url);
process.on('disconnect', () => process.exit());

async function create(token: string, text: string): Promise<object> {
  const body = JSON.parse(text) as Body;
  const client = await pool.connect();
  const run = async (statement: string, values: unknown[]) =>
    (await client.query({ name: statement.slice(0, 40), text: statement, values })).rows;
  const [phone, email] = [body.leadPhones[0], body.leadEmails[0]];
  const [contactId, leadId] = [randomUUID(), randomUUID()];
  await client.query('begin');
  const hash = createHash('sha256').update(token).digest();
  const [{ client_id: clientId }] = await run(
    `select client_id from oauth_tokens where token_hash = $1 and expires_at > now()`,
    [hash],
  );
  await run(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [phone]);
  await run(
    `select contact_id from contact_points where kind = 'phone' and value = $1
     union all select contact_id from contact_points where kind = 'email' and value = $2`,
    [phone, email],
  );
  await run(
    `select lead_id from lead_contact_points where kind = 'phone' and value = $1 and mergeable
     union all select lead_id from lead_contact_points where kind = 'email' and value = $2 and mergeable`,
    [phone, email],
  );
  const [{ id: funnelId }] = await run(`select id from funnels limit 1`, []);
  await run(`insert into contacts (id, first_name, created_at) values ($1, $2, now())`, [
    contactId,
    body.leadFirstName,
  ]);
  await run(
    `insert into contact_points (kind, value, contact_id) values ('phone', $1, $3), ('email', $2, $3)`,
    [phone, email, contactId],
  );
  await run(
    `insert into leads (id, contact_id, client_id, created_at, updated_at, lead_phones, lead_emails,
       lead_first_name, initial_inquiry, funnel_id, merge_window_ends_at, assignment_status)
     values ($1, $2, $3, now(), now(), $4, $5, $6, $7, $8, now() + interval '1 day', 'pending')`,
    [
      leadId,
      contactId,
      clientId,
      [phone],
      [email],
      body.leadFirstName,
      body.initialInquiry,
      funnelId,
    ],
  );
  await run(
    `insert into lead_contact_points (lead_id, kind, value, founding, mergeable)
     values ($1, 'phone', $2, true, true), ($1, 'email', $3, true, true)`,
    [leadId, phone, email],
  );
  await run(`insert into lead_access (lead_id, client_id) values ($1, $2)`, [leadId, clientId]);
  await run(
    `insert into submissions (id, lead_id, client_id, kind, received_at, body)
     values ($1, $2, $3, 'create', now(), $4)`,
    [randomUUID(), leadId, clientId, text],
  );
  await run(
    `insert into webhook_events (id, lead_id, client_id, type, sequence, body, created_at)
     values ($1, $2, $3, 'lead.created', 1, $4, now())`,
    [`evt_${randomUUID()}`, leadId, clientId, JSON.stringify({ id: leadId })],
  );
  await run(
    `insert into lead_outbox (lead_id, event, created_at, next_attempt_at) values ($1, 'created', now(), now())`,
    [leadId],
  );
  await client.query('commit');
  client.release();
  return { id: leadId, ...body };
}
