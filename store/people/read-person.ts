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
import { personalData, readPersonalRows } from './personal-columns.ts';

/** All that is kept of a person; run it in one transaction, so that all of it is of one moment. */
export async function readPerson(
  sql: Sql,
  { person, ofOthers }: ScopedPerson,
  known: readonly ContactPoint[],
  { now, hashOf }: { now: Date; hashOf: (number: string) => Buffer },
) {
  const parameters = ownerParameters(person, now);
  const rows = async (table: string) => {
    const found = await readPersonalRows(sql, table, parameters);
    return found.map(camelCased);
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
  const [sent] = await sql.run(selectSharedLead(sql, id));
  const named = contactPointsOf(sent?.phones ?? [], sent?.emails ?? []);
  const contactPoints = known.filter((point) => includesPoint(named, point));
  return { id, client: sent?.client, createdAt, contactPoints, isOfAnotherContact: true };
}

const selectSharedLead = ({ tables }: Sql, leadId: string) =>
  tables
    .selectFrom('leads as l')
    .innerJoin('oauth_clients as c', 'c.id', 'l.client_id')
    .where('l.id', '=', leadId)
    .select(['c.name as client', 'l.lead_phones as phones', 'l.lead_emails as emails']);

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

/** One lead with everything that is kept with it; each value with the request that brought it. */
async function readLeadRecord(sql: Sql, leadId: string) {
  const [found] = await sql.run(selectLead(sql, leadId));
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
const selectLead = ({ tables, fragment, nested: { jsonArrayFrom } }: Sql, leadId: string) =>
  tables
    .selectFrom('leads as l')
    .innerJoin('oauth_clients as o', 'o.id', 'l.client_id')
    .where('l.id', '=', leadId)
    .select(({ selectFrom }) => {
      const utc = <Time = string>(column: string) => fragment.raw<Time>(utcText(column));
      const submissions = selectFrom('submissions as s')
        .innerJoin('oauth_clients as c', 'c.id', 's.client_id')
        .whereRef('s.lead_id', '=', 'l.id')
        .orderBy(({ eb }) => eb('s.kind', '<>', 'create'))
        .orderBy('s.received_at')
        .orderBy('s.id')
        .select(['s.id as submissionId', 's.kind', 'c.name as client'])
        .select([utc('s.received_at').as('at'), 's.body']);
      const changes = selectFrom('timeline_notes as n')
        .leftJoin('oauth_clients as c', 'c.id', 'n.client_id')
        .whereRef('n.lead_id', '=', 'l.id')
        .where('n.kind', 'in', ['updated', 'merged', 'resolved'])
        .orderBy('n.at')
        .orderBy('n.id')
        .select(['n.kind', 'c.name as client', utc('n.at').as('at')])
        .select(fragment<string[]>`n.data -> 'fields'`.as('fields'))
        .$narrowType<{ kind: NotedChange['kind'] }>();
      const contactPoints = selectFrom('lead_contact_points')
        .whereRef('lead_id', '=', 'l.id')
        .orderBy('kind', 'desc')
        .orderBy('value')
        .select(['kind', 'value']);
      const rowsOf = (table: 'comments' | 'quiz_answers' | 'ad_platform_blocks', order: string) => {
        const rows = selectFrom(table).whereRef('lead_id', '=', 'l.id');
        return jsonArrayFrom(rows.orderBy(fragment.raw(order)).selectAll(table));
      };
      const webhookEvents = selectFrom('webhook_events as e')
        .innerJoin('oauth_clients as c', 'c.id', 'e.client_id')
        .whereRef('e.lead_id', '=', 'l.id')
        .where('e.sequence', 'is not', null)
        .orderBy('e.sequence')
        .select(['e.id', 'e.type', utc('e.created_at').as('at'), 'c.name as client'])
        .select(fragment<unknown>`e.body::json`.as('body'))
        .select((event) => {
          const deliveries = event
            .selectFrom('webhook_deliveries as d')
            .innerJoin('webhook_endpoints as p', 'p.id', 'd.endpoint_id')
            .whereRef('d.event_id', '=', 'e.id')
            .orderBy('p.url')
            .select(['p.url', 'd.status', utc<string | null>('d.finished_at').as('finishedAt')])
            .select((delivery) => {
              const answers = delivery
                .selectFrom('webhook_attempts as a')
                .whereRef('a.event_id', '=', 'd.event_id')
                .whereRef('a.endpoint_id', '=', 'd.endpoint_id')
                .orderBy('a.at')
                .select([utc('a.at').as('at'), 'a.status_code as statusCode'])
                .select('a.response_head as answer');
              return [jsonArrayFrom(answers).as('answers')];
            });
          return [jsonArrayFrom(deliveries).as('deliveries')];
        });
      return [
        fragment.raw<JsonObject>(LEAD_AS_JSON).as('lead'),
        'o.name as client',
        jsonArrayFrom(submissions).as('submissions'),
        jsonArrayFrom(changes).as('changes'),
        jsonArrayFrom(contactPoints).as('contactPoints'),
        rowsOf('comments', 'occurred_at, position').as('comments'),
        rowsOf('quiz_answers', 'position').as('quizAnswers'),
        rowsOf('ad_platform_blocks', 'ad_platform_lead_id').as('adPlatformBlocks'),
        jsonArrayFrom(webhookEvents).as('webhookEvents'),
      ];
    });

/** All names under which these leads were sent; a merged enquiry may have brought another one than its lead shows. */
export async function readSentNames(sql: Sql, leadIds: readonly string[]): Promise<SentName[]> {
  const rows = await sql.run(selectNames(sql, leadIds));
  const sent = rows.flatMap(({ leadId, parts, submissions }) =>
    [joinName(parts), ...submissions.map(({ body }) => sentNameOf(body))].map((name) => ({
      leadId,
      name,
    })),
  );
  return collectNames(sent);
}

const selectNames = ({ tables, fragment, nested }: Sql, leadIds: readonly string[]) =>
  tables
    .selectFrom('leads as l')
    .where('l.id', '=', fragment<string>`any (${leadIds}::uuid[])`)
    .orderBy('l.created_at')
    .orderBy('l.id')
    .select(({ selectFrom }) => {
      const submissions = selectFrom('submissions as s')
        .whereRef('s.lead_id', '=', 'l.id')
        .orderBy('s.received_at')
        .orderBy('s.id')
        .select('s.body');
      const parts = fragment<(string | null)[]>`array[
        l.lead_first_name, l.lead_middle_name, l.lead_second_name, l.lead_last_name]`;
      return [
        'l.id as leadId',
        parts.as('parts'),
        nested.jsonArrayFrom(submissions).as('submissions'),
      ];
    });
