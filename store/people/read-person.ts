import { contactPointsOf, type ContactPoint } from '../../domain/leads/contact-points.ts';
import { fields, toCamelCase } from '../../domain/leads/fields.ts';
import { includesPoint, mobileNumbers } from '../../domain/people/person-search.ts';
import {
  collectNames,
  joinName,
  sentNameOf,
  type SentName,
} from '../../domain/people/sent-body.ts';
import {
  valueOrigins,
  type NotedChange,
  type SentBody,
} from '../../domain/people/value-origins.ts';
import { readAssignmentHistory } from '../assignment/read-assignment.ts';
import type { Sql } from '../db/database.ts';
import { utcText } from '../db/statement.ts';
import { readChecksOf } from '../dncr/history.ts';
import { readTimeline } from '../leads/lead-overview.ts';
import { LEAD_AS_JSON } from '../leads/lead-json.ts';
import { readRecordNames, withNames } from '../routing/names.ts';
import { ownerParameters, type Person, type PersonLead } from './find-person.ts';
import type { ScopedPerson } from './person-scope.ts';
import { personalData } from './personal-columns.ts';

/** All that is kept of a person; run it in one transaction, so that all of it is of one moment. */
export async function readPerson(
  sql: Sql,
  { person, ofOthers }: ScopedPerson,
  known: readonly ContactPoint[],
  { now, hashOf }: { now: Date; hashOf: (number: string) => Buffer },
) {
  const parameters = ownerParameters(person, now);
  const rows = async (table: string) => {
    const found = await sql.query<{ row: object }>(rowsSql(table), parameters);
    return found.map(({ row }) => camelCased(row));
  };
  const leads = [];
  for (const { id, isShared } of person.leads)
    leads.push({ ...(await readLeadRecord(sql, id)), isOfAnotherContact: isShared });
  for (const lead of ofOthers) leads.push(await readSharedLead(sql, lead, known));
  return {
    contactPoints: person.contactPoints,
    contacts: await rows('contacts'),
    leads,
    operatorTexts: await rows('operator_texts'),
    knownAgents: await rows('known_agents'),
    dncr: { answers: await rows('dncr_answers'), checks: await readChecks(sql, person, hashOf) },
  };
}

/** A lead of another contact, with nothing but what it names of the person. */
async function readSharedLead(
  sql: Sql,
  { id, createdAt }: PersonLead,
  known: readonly ContactPoint[],
) {
  const sent = await sql.queryOne<{ client: string; phones: string[]; emails: string[] }>(
    SHARED_LEAD_SQL,
    { id },
  );
  const named = contactPointsOf(sent?.phones ?? [], sent?.emails ?? []);
  const contactPoints = known.filter((point) => includesPoint(named, point));
  return { id, client: sent?.client, createdAt, contactPoints, isOfAnotherContact: true };
}

const SHARED_LEAD_SQL = `
select c.name as client, l.lead_phones as phones, l.lead_emails as emails
from leads l join oauth_clients c on c.id = l.client_id where l.id = :id`;

const rowsSql = (table: string) =>
  `select row_to_json(${table}) as row from ${table} where ${personalData[table]?.where}`;

/** More than anybody asks about one number. */
const MANY_CHECKS = 1_000_000;

async function readChecks(sql: Sql, person: Person, hashOf: (number: string) => Buffer) {
  const checks = [];
  for (const number of mobileNumbers(person.contactPoints)) {
    const found = await readChecksOf(sql, hashOf(number), MANY_CHECKS);
    checks.push(...found.rows.map((check) => ({ number, ...check })));
  }
  return checks;
}

type JsonObject = Record<string, unknown>;
type FromSubmission = JsonObject & { submission_id: string };

interface Found {
  lead: JsonObject;
  client: string;
  submissions: SentBody[];
  changes: NotedChange[];
  contactPoints: unknown[];
  comments: FromSubmission[];
  quizAnswers: FromSubmission[];
  adPlatformBlocks: FromSubmission[];
  webhookEvents: (JsonObject & { deliveries: { url: string }[] })[];
}

/** One lead with everything that is kept with it; each value with the request that brought it. */
async function readLeadRecord(sql: Sql, leadId: string) {
  const found = await sql.queryOne<Found>(LEAD_SQL, { leadId });
  if (!found) throw new Error('A lead of the person is gone.');
  const { lead, client, submissions, contactPoints, webhookEvents } = found;
  const history = await readAssignmentHistory(sql, leadId);
  const timeline = await readTimeline(sql, leadId);
  const names = await readRecordNames(sql, [lead, history, timeline]);
  const values = Object.entries(lead).filter(([column]) => isSentColumn(column));
  const state = Object.entries(lead).filter(([column]) => !isSentColumn(column));
  const origins = valueOrigins(Object.fromEntries(values), {
    sent: submissions,
    changes: found.changes,
    blockSubmissionIds: found.adPlatformBlocks.map(({ submission_id }) => submission_id),
  });
  const withOrigins = (rows: readonly FromSubmission[]) =>
    rows.map((row) => withOrigin(row, submissions));
  return {
    id: leadId,
    client,
    state: camelCased(Object.fromEntries(state)),
    contactPoints,
    values: origins.map(({ from, ...value }) => ({
      ...value,
      ...nameOf(value.value, names),
      from,
    })),
    submissions,
    comments: withOrigins(found.comments),
    quizAnswers: withOrigins(found.quizAnswers),
    adPlatformBlocks: withOrigins(found.adPlatformBlocks),
    assignments: history.map(({ explanation: _explanation, ...entry }) => ({
      ...entry,
      reason: withNames(entry.reason, names),
    })),
    timeline: timeline.map((note) => ({ ...note, text: withNames(note.text, names) })),
    webhookEvents: webhookEvents.map(({ deliveries, ...event }) => ({
      ...event,
      deliveries: deliveries.map(withHost),
    })),
  };
}

/** What a request fills; the rest is the lead's own state. */
const sentColumns = new Set([
  ...fields.flatMap(({ column }) => column ?? []),
  ...(personalData.leads?.personal ?? []),
  ...['location_id', 'bedrooms'],
]);
const isSentColumn = (column: string) => sentColumns.has(column);

function camelCased(row: object): JsonObject {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [toCamelCase(name), value]));
}

/** The path of an integrator's address may be a secret; who got it shows from the host. */
function withHost<T extends { url: string }>({ url, ...delivery }: T) {
  return { to: new URL(url).host, ...delivery };
}

/** The name of the record, or those of the records, whose id the value is. */
function nameOf(value: unknown, names: ReadonlyMap<string, string>): { name?: string } {
  const found = [value].flat().flatMap((id) => names.get(String(id)) ?? []);
  return found.length > 0 ? { name: found.join(', ') } : {};
}

function withOrigin(
  { submission_id, lead_id: _lead, ...row }: FromSubmission,
  submissions: readonly SentBody[],
) {
  const sent = submissions.find(({ submissionId }) => submissionId === submission_id);
  const from = sent && { submissionId: sent.submissionId, client: sent.client, at: sent.at };
  return { ...camelCased(row), from };
}

/** Uses json, since jsonb cannot hold every verbatim text. */
const ofLead = (table: string, order: string) => `
coalesce((select json_agg(row_to_json(${table}) order by ${order}) from ${table} where lead_id = l.id), '[]')`;

const ANSWERS = `
coalesce((select json_agg(json_build_object(
    'at', ${utcText('a.at')}, 'statusCode', a.status_code, 'answer', a.response_head) order by a.at)
  from webhook_attempts a where (a.event_id, a.endpoint_id) = (d.event_id, d.endpoint_id)), '[]')`;

const DELIVERIES = `
coalesce((select json_agg(json_build_object('url', p.url, 'status', d.status,
    'finishedAt', ${utcText('d.finished_at')}, 'answers', ${ANSWERS}) order by p.url)
  from webhook_deliveries d join webhook_endpoints p on p.id = d.endpoint_id where d.event_id = e.id), '[]')`;

const LEAD_SQL = `
select ${LEAD_AS_JSON} as lead,
  (select name from oauth_clients where id = l.client_id) as client,
  coalesce((select json_agg(json_build_object('submissionId', s.id, 'kind', s.kind, 'client', c.name,
      'at', ${utcText('s.received_at')}, 'body', s.body) order by s.kind <> 'create', s.received_at, s.id)
    from submissions s join oauth_clients c on c.id = s.client_id where s.lead_id = l.id), '[]') as submissions,
  coalesce((select json_agg(json_build_object('kind', n.kind, 'client', c.name, 'at', ${utcText('n.at')},
      'fields', n.data -> 'fields') order by n.at, n.id)
    from timeline_notes n left join oauth_clients c on c.id = n.client_id
    where n.lead_id = l.id and n.kind in ('updated', 'merged', 'resolved')), '[]') as changes,
  coalesce((select json_agg(json_build_object('kind', kind, 'value', value) order by kind desc, value)
    from lead_contact_points where lead_id = l.id), '[]') as "contactPoints",
  ${ofLead('comments', 'occurred_at, position')} as comments,
  ${ofLead('quiz_answers', 'position')} as "quizAnswers",
  ${ofLead('ad_platform_blocks', 'ad_platform_lead_id')} as "adPlatformBlocks",
  coalesce((select json_agg(json_build_object('id', e.id, 'type', e.type, 'at', ${utcText('e.created_at')},
      'client', c.name, 'body', e.body::json, 'deliveries', ${DELIVERIES}) order by e.sequence)
    from webhook_events e join oauth_clients c on c.id = e.client_id
      where e.lead_id = l.id and e.sequence is not null), '[]') as "webhookEvents"
from leads l where l.id = :leadId`;

interface NamesRow {
  leadId: string;
  parts: (string | null)[];
  bodies: unknown[];
}

/** All names under which these leads were sent; a merged enquiry may have brought another one than its lead shows. */
export async function readSentNames(sql: Sql, leadIds: readonly string[]): Promise<SentName[]> {
  const rows = await sql.query<NamesRow>(NAMES_SQL, { leadIds });
  const sent = rows.flatMap(({ leadId, parts, bodies }) =>
    [joinName(parts), ...bodies.map(sentNameOf)].map((name) => ({ leadId, name })),
  );
  return collectNames(sent);
}

const NAMES_SQL = `
select l.id as "leadId",
  array[l.lead_first_name, l.lead_middle_name, l.lead_second_name, l.lead_last_name] as parts,
  coalesce((select json_agg(s.body order by s.received_at, s.id) from submissions s where s.lead_id = l.id), '[]')
    as bodies
from leads l where l.id = any (:leadIds::uuid[]) order by l.created_at, l.id`;
