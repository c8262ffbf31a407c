import { createHmac, randomUUID } from 'node:crypto';
import http from 'node:http';
import pg from 'pg';
import type { FirstActivities, SecondActivities } from './messages.ts';

interface Member {
  id: string;
  slug: string;
  name: string;
  email: string;
  weight: number;
  credit: number | null;
}

interface Delivery {
  event_id: string;
  endpoint_id: string;
  body: string;
  url: string;
}

/**
 * What a lead needs at least beside Temporal, in plain statements: the next agent of the team's turn, all rows that say
 * why, and two signed calls of one endpoint. One rule, no caps, no retries, nothing is checked.
 */
export function createBareLead(connectionString: string): FirstActivities & SecondActivities {
  // As the service's own connections.
  const options = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off';
  const pool = new pg.Pool({ connectionString, options, max: 12, pipeline: true } as pg.PoolConfig);
  const agent = new http.Agent({ keepAlive: true });

  async function run<Row extends object>(
    on: pg.Pool | pg.PoolClient,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const name = text.trim().slice(0, 60);
    return (await on.query<Row>({ name, text, values: [...values] })).rows;
  }

  async function route(client: pg.PoolClient, leadId: string): Promise<Member> {
    await Promise.all([
      client.query('begin'),
      run(client, `select id from leads where id = $1 for no key update`, [leadId]),
    ]);
    await run(client, LOCK_SQL);
    const team = (await run<Member>(client, TEAM_SQL)).map((member) => {
      return { ...member, credit: (member.credit ?? 0) + member.weight };
    });
    const chosen = team.reduce((best, each) => (each.credit > best.credit ? each : best));
    chosen.credit -= team.length;
    const credits = team.map(({ id, credit }) => ({ id, credit }));
    const { id, name, email } = chosen;
    const event = { id: `evt_${randomUUID()}`, leadId, agent: { id, name, email } };
    const roster = JSON.stringify({ agents: team });
    const explanation = JSON.stringify({ rules: [{ name: 'Sales', credits }] });
    await Promise.all([
      run(client, ASSIGN_SQL, [
        leadId,
        id,
        randomUUID(),
        JSON.stringify({ leadId }),
        roster,
        explanation,
        randomUUID(),
        JSON.stringify(credits),
        event.id,
        JSON.stringify(event),
      ]),
      client.query('commit'),
    ]);
    return chosen;
  }

  return {
    async first(leadId) {
      const client = await pool.connect();
      try {
        const { slug } = await route(client, leadId);
        return { status: 'assigned', agent: slug };
      } finally {
        client.release();
      }
    },
    async second(leadId) {
      for (const delivery of await run<Delivery>(pool, DELIVERIES_SQL, [leadId])) {
        const status = await post(agent, delivery);
        await run(pool, DELIVERED_SQL, [delivery.event_id, delivery.endpoint_id, status]);
      }
    },
    async last(leadId) {
      await run(pool, CLOSE_SQL, [leadId]);
    },
  };
}

function post(agent: http.Agent, { url, event_id: id, body }: Delivery) {
  const headers = {
    'content-length': Buffer.byteLength(body),
    'webhook-id': id,
    'webhook-signature': createHmac('sha256', 'secret').update(`${id}.${body}`).digest('base64'),
  };
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    request.on('error', reject).end(body);
  });
}

const LOCK_SQL = `
  select id from agents where id in (select agent_id from team_members) order by id for no key update`;
const TEAM_SQL = `
  select g.*, m.weight, m.owed_leads as credit from team_members m join agents g on g.id = m.agent_id
  order by m.position, g.id`;
const ASSIGN_SQL = `
  with assigned as (
    update leads set assignment_status = 'assigned', owner_id = $2, assigned_at = now(), updated_at = now(),
      event_sequence = event_sequence + 1
    where id = $1 returning id, client_id, event_sequence),
  history as (
    insert into assignments (id, lead_id, round, move, status, agent_id, decided_by, rule_name, ruleset_version, reason, decided_at)
    values ($3, $1, 1, 0, 'assigned', $2, 'rules', 'Sales', 1, 'by turns', now())),
  decision as (
    insert into routing_decisions (assignment_id, ruleset_version, facts, facts_hash, roster, roster_hash, explanation)
    values ($3, 1, $4, '', $5, '', $6)),
  note as (
    insert into timeline_notes (id, lead_id, at, kind, text) values ($7, $1, now(), 'assigned', 'by turns')),
  credits as (
    update team_members m set owed_leads = c.credit from jsonb_to_recordset($8::jsonb) as c (id uuid, credit float8)
    where m.agent_id = c.id),
  event as (
    insert into webhook_events (id, client_id, lead_id, type, sequence, body, created_at)
    select $9, client_id, id, 'lead.assigned', event_sequence, $10, now() from assigned
    returning id, client_id, lead_id, type, created_at)
  insert into webhook_deliveries (event_id, endpoint_id, lead_id, created_at)
  select e.id, p.id, e.lead_id, e.created_at from event e
  join webhook_endpoints p on p.client_id = e.client_id and p.enabled and e.type = any (p.events)`;
const DELIVERIES_SQL = `
  select d.event_id, d.endpoint_id, e.body, p.url from webhook_deliveries d
  join webhook_events e on e.id = d.event_id join webhook_endpoints p on p.id = d.endpoint_id
  where d.lead_id = $1 and d.status = 'pending' order by e.sequence`;
const DELIVERED_SQL = `
  with attempt as (
    insert into webhook_attempts (event_id, endpoint_id, at, status_code, latency_ms)
    values ($1, $2, now(), $3, 1))
  update webhook_deliveries set attempts = attempts + 1, status = 'delivered', finished_at = now()
  where event_id = $1 and endpoint_id = $2`;
const CLOSE_SQL = `update leads set merge_window_closed_at = now() where id = $1`;
